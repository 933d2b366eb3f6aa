// Command kmip-judge has kmip-go encode and decode messages that Keywell has encoded too, or lists
// what kmip-go knows.
//
//	kmip-judge messages DIRECTORY   of NAME.xml and NAME.ttlv; names those that differ
//	kmip-judge tables               tags and enumerations, a line each
//	kmip-judge client ADDRESS CA CERTIFICATE KEY   uses a key manager; the last three are files
package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ovh/kmip-go"
	_ "github.com/ovh/kmip-go/payloads"
	"github.com/ovh/kmip-go/ttlv"
)

// message is one request or response, by its outermost tag.
type message struct {
	request  kmip.RequestMessage
	response kmip.ResponseMessage
	tag      int
}

func (m *message) decode(d *ttlv.Decoder) error {
	m.tag = d.Tag()
	if m.tag == kmip.TagRequestMessage {
		return d.TagAny(m.tag, &m.request)
	}
	return d.TagAny(kmip.TagResponseMessage, &m.response)
}

func (m *message) UnmarshalXML(d *xml.Decoder, _ xml.StartElement) error {
	decoder, err := ttlv.NewXMLFromDecoder(d)
	if err != nil {
		return err
	}
	return m.decode(&decoder)
}

func (m *message) encode() []byte {
	if m.tag == kmip.TagRequestMessage {
		return ttlv.MarshalTTLV(&m.request)
	}
	return ttlv.MarshalTTLV(&m.response)
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "messages" {
		os.Exit(messages(os.Args[2]))
	}
	if len(os.Args) == 2 && os.Args[1] == "tables" {
		tables()
		return
	}
	if len(os.Args) == 6 && os.Args[1] == "client" {
		if err := client(os.Args[2], os.Args[3], os.Args[4], os.Args[5]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	fmt.Fprintln(os.Stderr, "usage: kmip-judge messages DIRECTORY | tables | client ADDRESS CA CERTIFICATE KEY")
	os.Exit(2)
}

func messages(directory string) int {
	files, err := filepath.Glob(filepath.Join(directory, "*.xml"))
	if err != nil || len(files) == 0 {
		fmt.Fprintln(os.Stderr, "no messages in", directory)
		return 2
	}
	same, code := 0, 0
	for _, file := range files {
		if err := judge(strings.TrimSuffix(file, ".xml")); err != nil {
			fmt.Printf("%s: %v\n", filepath.Base(file), err)
			code = 1
		} else {
			same++
		}
	}
	fmt.Printf("%d of %d messages are the same\n", same, len(files))
	return code
}

func judge(name string) (err error) {
	// kmip-go panics on what it does not know.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("unknown to kmip-go: %v", r)
		}
	}()
	text, err := os.ReadFile(name + ".xml")
	if err != nil {
		return err
	}
	theirs, err := os.ReadFile(name + ".ttlv")
	if err != nil {
		return err
	}
	if err := readAsTree(theirs); err != nil {
		return err
	}
	var fromXML message
	if err := xml.Unmarshal(text, &fromXML); err != nil {
		return fmt.Errorf("unknown to kmip-go: %w", err)
	}
	ours := fromXML.encode()
	if !bytes.Equal(ours, theirs) {
		return fmt.Errorf("encoded differently")
	}
	decoder, err := ttlv.NewTTLVDecoder(theirs)
	if err != nil {
		return err
	}
	var decoded message
	if err := decoded.decode(&decoder); err != nil {
		return err
	}
	if !bytes.Equal(decoded.encode(), theirs) {
		return fmt.Errorf("decoded differently")
	}
	return nil
}

// readAsTree needs no knowledge of what the tags mean.
func readAsTree(message []byte) error {
	var tree ttlv.Value
	if err := ttlv.UnmarshalTTLV(message, &tree); err != nil {
		return fmt.Errorf("not read: %w", err)
	}
	if !bytes.Equal(ttlv.MarshalTTLV(tree), message) {
		return fmt.Errorf("read differently")
	}
	return nil
}

func tables() {
	for tag := 0x420001; tag <= 0x42FFFF; tag++ {
		name := ttlv.TagString(tag)
		if strings.HasPrefix(name, "0x") {
			continue
		}
		fmt.Printf("tag\t%s\t%06X\n", name, tag)
		for value, each := range ttlv.EnumValuesByTag(tag) {
			fmt.Printf("%s\t%s\t%08X\n", name, each, value)
		}
	}
}
