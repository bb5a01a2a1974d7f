/** Bytes that come from elsewhere, perhaps without an end. */

/** The same stream, which fails with `fault` after `most` bytes; its source is told to stop. */
export function limited(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  most: number,
  fault: () => Error,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return body.pipeThrough(
    new TransformStream({
      transform(part: Uint8Array<ArrayBuffer>, controller) {
        bytes += part.length;
        if (bytes > most) throw fault();
        controller.enqueue(part);
      },
    }),
  );
}
