/** Reader of a pprof file, which the core reads as one message. */
import { available, type ByteSource, fill } from "../bytes/byte-source.ts";
import { largestMessage, type Message, type NoteFault, tooLong } from "../otlp/framed-messages.ts";

/** The one profile of a file. */
export async function* pprofOf(source: ByteSource, note: NoteFault): AsyncGenerator<Message> {
  const most = largestMessage(source);
  const length = await available(source, 0, most + 1);
  if (length > most) note("pprof.too-long", "error", `pprof: ${tooLong(length)}`, 0);
  else yield { offset: 0, length, fill: (target) => fill(source, 0, target) };
}
