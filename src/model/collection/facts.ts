/** Facts of one file of a collection, as the worker reads them, and as the page keeps them. */
import { Numbered } from "../../bytes/numbered.ts";
import type { TimeRange } from "../../core/types.ts";

/** The functions with the largest shares of a profile: by total time, and by self time. */
export interface FunctionShares {
  names: readonly string[];
  /** Shares of the profile, 0 to 1, in the order of the names. */
  self: Float64Array;
  total: Float64Array;
  /** No other function has a larger total share. */
  bound: number;
}

export interface ProfileFacts<Functions = FunctionShares> {
  type: string;
  label: string;
  samples: number;
  functions: Functions;
}

export interface FileFacts<Functions = FunctionShares> {
  /** "" if the file does not state it. */
  service: string;
  instance: string;
  /** First and last moment of a sample; if no sample has a time, that of the recording; null if that is unknown. */
  time: TimeRange | null;
  profiles: ProfileFacts<Functions>[];
  /** Errors of the reading, the first of them as a text; null if the file was read completely. */
  damage: string | null;
  /** Whether anything could be read. */
  readable: boolean;
}

/** Function shares with numbers in place of names, which many files share. */
export interface KeptShares {
  names: Uint32Array;
  self: Float64Array;
  total: Float64Array;
  bound: number;
}

export type KeptFacts = FileFacts<KeptShares>;

/** The names of functions of all files, each once. */
export class FunctionNames extends Numbered<string> {
  keep(facts: FileFacts): KeptFacts {
    const profiles = facts.profiles.map(({ functions, ...profile }) => {
      const names = Uint32Array.from(functions.names, (name) => this.of(name));
      return { ...profile, functions: { ...functions, names } };
    });
    return { ...facts, profiles };
  }
}
