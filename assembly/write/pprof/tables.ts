/**
 * The tables of a pprof file: mappings, locations, functions, strings. Ids are the indices that `reach` gave, from 1
 * on.
 *
 *   Mapping  { id 1, memory_start 2, memory_limit 3, file_offset 4, filename 5, build_id 6, has_functions 7 }
 *   Location { id 1, mapping_id 2, address 3, line 4 { function_id 1, line 2, column 3 } }
 *   Function { id 1, name 2, system_name 3, filename 4, start_line 5 }
 */

import { addressOf, frameCount, frameOf } from "../../store/frames";
import * as FunctionRow from "../../store/rows/function-row";
import * as LineRow from "../../store/rows/line-row";
import * as LocationRow from "../../store/rows/location-row";
import * as MappingRow from "../../store/rows/mapping-row";
import { functions, locations, mappings } from "../../store/tables";
import { stringCount, stringSize } from "../added";
import { at, mark, marked, places, rowAt } from "../columns";
import { closeLarge, closeSmall, openLarge, openSmall } from "../nested";
import { newRun, Run, zeroed } from "../output";
import { functionMap, functionOrder, locationMap, locationOrder, mappingMap, mappingOrder } from "../reach";
import { fieldSize, putField, putHeader, putString } from "../wire";
import { buildId, fileStringOrder, stringIndex } from "./strings";

let run: Run = changetype<Run>(0);

export function writePprofTables(): Run {
  run = newRun();
  writeMappings();
  writeLocations();
  writeFunctions();
  run.at = putHeader(run.need(2), 0x32, 0);
  for (let place: u32 = 1; place < places(fileStringOrder, stringCount()); place++) {
    const i = rowAt(fileStringOrder, place);
    if (stringIndex(i) === 0) continue;
    const n = stringSize(i);
    run.at = putString(run.need(<u64>n + 6), 0x32, i);
  }
  run.finish();
  return run;
}

/** A mapping whose locations all have functions is flagged: viewers then search for no symbols. */
function writeMappings(): void {
  const bare = zeroed(mappings.count);
  for (let i: u32 = 1; i < locations.count; i++) {
    if (marked(locationMap, i) && load<u32>(frameOf(i, 0), LineRow.FUNCTION) === 0)
      mark(bare, locations.get(i, LocationRow.MAPPING));
  }
  for (let place: u32 = 1; place < places(mappingOrder, mappings.count); place++) {
    const i = rowAt(mappingOrder, place);
    if (!marked(mappingMap, i)) continue;
    let p = openSmall(run, 0x1a);
    p = putField(p, 0x08, at(mappingMap, i));
    p = putField(p, 0x10, mappings.get64(i, MappingRow.START));
    p = putField(p, 0x18, mappings.get64(i, MappingRow.LIMIT));
    p = putField(p, 0x20, mappings.get64(i, MappingRow.FILE_OFFSET));
    p = putField(p, 0x28, stringIndex(mappings.get(i, MappingRow.FILE_NAME)));
    p = putField(p, 0x30, stringIndex(buildId(i)));
    closeSmall(run, putField(p, 0x38, marked(bare, i) ? 0 : 1));
  }
}

function writeLocations(): void {
  for (let place: u32 = 1; place < places(locationOrder, locations.count); place++) {
    const i = rowAt(locationOrder, place);
    if (!marked(locationMap, i)) continue;
    let p = openLarge(run);
    p = putField(p, 0x08, at(locationMap, i));
    p = putField(p, 0x10, at(mappingMap, locations.get(i, LocationRow.MAPPING)));
    p = putField(p, 0x18, addressOf(i));
    for (let k: u32 = 0; k < frameCount(i); k++) p = putLine(p, frameOf(i, k));
    closeLarge(run, 0x22, p);
  }
}

/** A line without a function is left out. */
function putLine(p: usize, frame: usize): usize {
  const id = at(functionMap, load<u32>(frame, LineRow.FUNCTION));
  if (id === 0) return p;
  const line = load<u32>(frame, LineRow.NUMBER);
  const column = load<u32>(frame, LineRow.COLUMN);
  p = putHeader(p, 0x22, fieldSize(id) + fieldSize(line) + fieldSize(column));
  p = putField(p, 0x08, id);
  p = putField(p, 0x10, line);
  return putField(p, 0x18, column);
}

function writeFunctions(): void {
  for (let place: u32 = 1; place < places(functionOrder, functions.count); place++) {
    const i = rowAt(functionOrder, place);
    if (!marked(functionMap, i)) continue;
    let p = openSmall(run, 0x2a);
    p = putField(p, 0x08, at(functionMap, i));
    p = putField(p, 0x10, stringIndex(functions.get(i, FunctionRow.NAME)));
    p = putField(p, 0x18, stringIndex(functions.get(i, FunctionRow.SYSTEM_NAME)));
    p = putField(p, 0x20, stringIndex(functions.get(i, FunctionRow.FILE_NAME)));
    closeSmall(run, putField(p, 0x28, functions.get(i, FunctionRow.START_LINE)));
  }
}
