/** Native libraries whose frames are known by their address only, in the current selection. */
import {
  LIBRARY_BUILD_ID,
  LIBRARY_BYTES,
  LIBRARY_FILE,
  LIBRARY_SAMPLES,
  LIBRARY_VALUE,
  NATIVE_ADDRESS,
  NATIVE_BYTES,
  NATIVE_FRAMES,
  NATIVE_LIBRARY,
  NATIVE_LOCATION,
} from "../../assembly/abi/library-row.ts";
import type { Access } from "./access.ts";

/** A location of the store without a name. */
export interface AddressedPlace {
  location: number;
  /** Offset from the image's base; of a return address the address of the call, which is before it. */
  address: bigint;
  /** Positions in stacks, over all samples. */
  frames: bigint;
}

export interface AddressedLibrary {
  /** Base name of the file, "" if unknown. */
  name: string;
  /** In hex, "" if unknown. */
  buildId: string;
  /** Samples with at least one such frame, and their value. */
  samples: number;
  value: bigint;
  places: AddressedPlace[];
}

/** The libraries of the selection; those without samples in it have places of 0 frames. */
export function addressedLibraries(core: Access): AddressedLibrary[] {
  const { wasm, memory } = core;
  const count = wasm.addressedLibraries();
  const first = wasm.libraryRows();
  const libraries = Array.from({ length: count }, (_, i): AddressedLibrary => {
    const p = first + i * LIBRARY_BYTES;
    const path = core.string(memory.u32(p + LIBRARY_FILE));
    return {
      name: path.slice(path.lastIndexOf("/") + 1),
      buildId: core.string(memory.u32(p + LIBRARY_BUILD_ID)),
      samples: memory.u32(p + LIBRARY_SAMPLES),
      value: memory.i64(p + LIBRARY_VALUE),
      places: [],
    };
  });
  const places = wasm.placeRows();
  for (let i = 0; i < wasm.placesFound(); i++) {
    const p = places + i * NATIVE_BYTES;
    libraries[memory.u32(p + NATIVE_LIBRARY)]?.places.push({
      location: memory.u32(p + NATIVE_LOCATION),
      address: BigInt.asUintN(64, memory.i64(p + NATIVE_ADDRESS)),
      frames: memory.i64(p + NATIVE_FRAMES),
    });
  }
  return libraries;
}
