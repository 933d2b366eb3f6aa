package org.keywell.bench.tables.report;

import java.util.ArrayList;
import java.util.List;
import org.keywell.bench.tables.figure.MeasuredRow;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.TableId;

/** What a reader must know of how a table's figures were made, here and in the thesis. */
final class Notes {

  private Notes() {}

  static List<String> on(MeasuredTable table) {
    List<String> notes = new ArrayList<>(method(table.id()));
    notes.addAll(Slips.in(table.rows().stream().map(MeasuredRow::thesis).toList()));
    return notes;
  }

  private static List<String> method(TableId table) {
    return switch (table) {
      case GENERATION -> List.of("Each key is destroyed before the next one is made.");
      case WRAP_AND_SAVE ->
          List.of(
              "The thesis saved each wrapped key to a file; here it is a durable transaction of the"
                  + " database, after the live copy was destroyed. A profile's time for wrapping is"
                  + " the thesis's for wrapping and saving, and the real transaction is added.");
      case TRANSFER ->
          List.of(
              "No device has a part in this, so nothing is simulated.",
              "A key is written in a transaction of its own; a block is loaded in one, which takes"
                  + " the keys out of the store and notes them as claimed.",
              "The rows are stand-ins of the size of real ones: one wrapped key, with another number"
                  + " in each public key.");
      case LOAD_AND_UNWRAP ->
          List.of(
              "The thesis's driver initialised a cipher for each block, which is spread over the"
                  + " block's keys here. Keywell finds its wrapping key once, when it opens the"
                  + " device, so there is nothing to measure.");
      case WHOLE_SIGNING ->
          List.of(
              "The keys live in the device already. Each signs once, the CA's key in the same device"
                  + " signs its certificate, and the key is destroyed.",
              "A profile's time for signing covers all of that. The device as it is has no distance"
                  + " to bridge, so its rows differ in their number of requests only.");
      case THREADS ->
          List.of(
              "Spread is the fastest and the slowest single request; the thesis prints it as \"variance"
                  + " in signing times\". A single request includes its wait for the device.",
              "Simulated from Stockholm, as the thesis's single thread of 43 ms was. The thesis does"
                  + " not tell how many requests its figures are of.");
      case SIGNING_WHILE_UNWRAPPING ->
          List.of(
              "Another thread unwraps keys without pause, and destroys them; none of those signs.");
    };
  }
}
