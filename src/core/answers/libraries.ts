/** Native libraries whose frames are known by their address only, in the current selection. */
import * as LibraryRow from "../../../assembly/abi/rows/library-row.ts";
import type { Access } from "../instance/access.ts";

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
    const p = first + i * LibraryRow.BYTES;
    const path = core.string(memory.u32(p + LibraryRow.FILE));
    return {
      name: path.slice(path.lastIndexOf("/") + 1),
      buildId: core.string(memory.u32(p + LibraryRow.BUILD_ID)),
      samples: memory.u32(p + LibraryRow.SAMPLES),
      value: memory.i64(p + LibraryRow.VALUE),
      places: [],
    };
  });
  const places = wasm.placeRows();
  for (let i = 0; i < wasm.placesFound(); i++) {
    const p = places + i * LibraryRow.NATIVE_BYTES;
    libraries[memory.u32(p + LibraryRow.NATIVE_LIBRARY)]?.places.push({
      location: memory.u32(p + LibraryRow.NATIVE_LOCATION),
      address: BigInt.asUintN(64, memory.i64(p + LibraryRow.NATIVE_ADDRESS)),
      frames: memory.i64(p + LibraryRow.NATIVE_FRAMES),
    });
  }
  return libraries;
}
