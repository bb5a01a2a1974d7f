/**
 * Marks that compilers append to the names of functions: a part or a copy of a function has its name for grouping.
 *
 *   foo.isra.0   foo.constprop.1   foo.part.2   foo.cold   foo.warm   foo.localalias   foo.llvm.123   foo.lto_priv.4
 *   _RNvC3foo3bar.109                          (a copy in another unit of the compiler)
 *   core::fmt::write::h0123456789abcdef        (Rust: the hash of the crate and its version)
 */
const MARKS = /(?:\.(?:isra|constprop|part|cold|warm|localalias|llvm|lto_priv|cfi)\d*(?:\.\d+)*)+$/;
const RUST_HASH = /::h[0-9a-f]{16}$/;

/** Mangled names have no other points at their end: `_RNvC3foo3bar.109`. In C, `foo.1` may be a name. */
const MARKS_OF_MANGLED = /(?:\.(?:(?:isra|constprop|part|cold|warm|localalias|llvm|lto_priv|cfi)\d*|\d+))+$/;

export const isMangled = (linkage: string) => /^_{1,2}[ZR]/.test(linkage);

/** A linkage name without these marks. */
export function withoutMarks(linkage: string): string {
  const end = (isMangled(linkage) ? MARKS_OF_MANGLED : MARKS).exec(linkage)?.index ?? 0;
  return end > 0 ? linkage.slice(0, end) : linkage;
}

/** A readable name without the hash of Rust. */
export function withoutHash(name: string): string {
  return name.replace(RUST_HASH, "");
}
