/** Types for tsc only: the used part of AssemblyScript's util/number, whose source tsc cannot read. */
export declare function dtoa_buffered<T extends number>(buffer: usize, value: T): u32;
