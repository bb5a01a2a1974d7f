/** A growable run of bytes: output messages, answers to the host, scratch text. */
import { alloc, regrow, release } from "./arena";
import { own } from "./resets";

@unmanaged
export class Buffer {
  at: usize;
  size: u32;
  capacity: u32;

  create(capacity: u32): void {
    this.at = alloc(capacity);
    this.size = 0;
    this.capacity = capacity;
  }

  free(): void {
    release(this.at, this.capacity);
    this.at = 0;
    this.size = 0;
    this.capacity = 0;
  }

  /** Makes room for `n` more bytes and returns where they go; `size` is the caller's to advance. */
  need(n: u32): usize {
    if (n > this.capacity - this.size) {
      const wish = <u64>this.size + <u64>n;
      let capacity: u64 = (<u64>this.capacity) << 1;
      while (capacity < wish) capacity <<= 1;
      this.at = regrow(
        this.at,
        this.capacity,
        this.size,
        capacity > 0x8000_0000 ? <usize>0xffff_ffff : <usize>capacity,
      );
      this.capacity = <u32>capacity;
    }
    return this.at + this.size;
  }

  u32(v: u32): void {
    store<u32>(this.need(4), v);
    this.size += 4;
  }

  u64(v: u64): void {
    store<u64>(this.need(8), v);
    this.size += 8;
  }

  /** A varint of protobuf. */
  varint(v: u64): void {
    let p = this.need(10);
    while (v >= 0x80) {
      store<u8>(p, <u8>v | 0x80);
      v >>= 7;
      p++;
    }
    store<u8>(p, <u8>v);
    this.size = <u32>(p + 1 - this.at);
  }

  bytes(p: usize, n: u32): void {
    memory.copy(this.need(n), p, n);
    this.size += n;
  }
}

export function newBuffer(capacity: u32): Buffer {
  const b = changetype<Buffer>(alloc(offsetof<Buffer>()));
  b.create(capacity);
  return b;
}

function make(at: usize, capacity: u32, _: u32): void {
  changetype<Buffer>(at).create(capacity);
}

/** A buffer that every reset makes anew. */
export function ownBuffer(capacity: u32): Buffer {
  return changetype<Buffer>(own(make, capacity, 0));
}
