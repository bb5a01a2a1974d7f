/** For tsc only: what is used of AssemblyScript's own util/number, whose source tsc cannot read. */
export declare function dtoa_buffered<T extends number>(buffer: usize, value: T): u32;
