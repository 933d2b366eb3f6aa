// Command tlog-judge verifies a directory that is laid out as a log's URLs are (C2SP tlog-tiles)
// with the packages by which Go verifies its checksum database. It exits with 0 if all holds.
//
//	tlog-judge DIRECTORY VERIFIER-KEY EARLIER-CHECKPOINT...
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

type directory string

func (d directory) Height() int { return height }

func (d directory) SaveTiles([]tlog.Tile, [][]byte) {}

func (d directory) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(tiles))
	for i, tile := range tiles {
		// Go's paths name the height, those of C2SP do not.
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		read, err := os.ReadFile(filepath.Join(string(d), path))
		if err != nil {
			return nil, err
		}
		data[i] = read
	}
	return data, nil
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: tlog-judge DIRECTORY VERIFIER-KEY EARLIER-CHECKPOINT...")
		os.Exit(2)
	}
	if err := judge(directory(os.Args[1]), os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "tlog-judge:", err)
		os.Exit(1)
	}
}

func judge(log directory, key string, earlier []string) error {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return err
	}
	tree, err := checkpoint(filepath.Join(string(log), "checkpoint"), verifier)
	if err != nil {
		return err
	}
	// Authenticates each tile that it reads with the root.
	hashes := tlog.TileHashReader(tree, log)
	for _, file := range earlier {
		if err := continues(tree, hashes, file, verifier); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	entries, err := everyEntry(log, tree, hashes)
	if err != nil {
		return err
	}
	fmt.Printf("%d entries, %d earlier checkpoints\n", entries, len(earlier))
	return nil
}

func checkpoint(file string, verifier note.Verifier) (tlog.Tree, error) {
	signed, err := os.ReadFile(file)
	if err != nil {
		return tlog.Tree{}, err
	}
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		return tlog.Tree{}, fmt.Errorf("not a checkpoint of %s", verifier.Name())
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != sha256.Size {
		return tlog.Tree{}, fmt.Errorf("no root hash: %s", lines[2])
	}
	return tlog.Tree{N: size, Hash: tlog.Hash(root)}, nil
}

func continues(tree tlog.Tree, hashes tlog.HashReader, file string, verifier note.Verifier) error {
	before, err := checkpoint(file, verifier)
	if err != nil {
		return err
	}
	proof, err := tlog.ProveTree(tree.N, before.N, hashes)
	if err != nil {
		return err
	}
	return tlog.CheckTree(proof, tree.N, tree.Hash, before.N, before.Hash)
}

func everyEntry(log directory, tree tlog.Tree, hashes tlog.HashReader) (int64, error) {
	var index int64
	for bundle := int64(0); bundle*256 < tree.N; bundle++ {
		width := min(256, tree.N-bundle*256)
		path := strings.Replace(tlog.Tile{H: height, L: -1, N: bundle, W: int(width)}.Path(),
			"tile/8/data/", "tile/entries/", 1)
		data, err := os.ReadFile(filepath.Join(string(log), path))
		if err != nil {
			return index, err
		}
		reader := bytes.NewReader(data)
		for range width {
			if err := entry(reader, index, tree, hashes); err != nil {
				return index, fmt.Errorf("entry %d: %w", index, err)
			}
			index++
		}
		if reader.Len() > 0 {
			return index, fmt.Errorf("%s is too long", path)
		}
	}
	return index, nil
}

func entry(bundle *bytes.Reader, index int64, tree tlog.Tree, hashes tlog.HashReader) error {
	var length uint16
	if err := binary.Read(bundle, binary.BigEndian, &length); err != nil {
		return err
	}
	record := make([]byte, length)
	if n, _ := bundle.Read(record); n != int(length) {
		return fmt.Errorf("%d bytes of %d", n, length)
	}
	proof, err := tlog.ProveRecord(tree.N, index, hashes)
	if err != nil {
		return err
	}
	return tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(record))
}
