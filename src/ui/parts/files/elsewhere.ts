/** Recordings of `?url=` on other hosts: the question whether to read them, and the reading. */
import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import type { InputFile } from "../../../worker/api.ts";
import { fromElsewhere } from "../../../worker/task-workers.ts";
import { mayRead } from "../consent/consent.ts";

/** Asks once for each host. Throws if the user does not allow one of them. */
export async function askForFiles(urls: readonly URL[], signal: AbortSignal): Promise<void> {
  for (const origin of new Set(urls.map((url) => url.origin))) {
    const own = urls.filter((url) => url.origin === origin);
    const paths = own.map(({ pathname, search }) => pathname + search);
    const question = {
      origin,
      what: paths,
      amount: `${formatCounted(own.length, "file")}, whole. The size is unknown until the host is asked.`,
      sent: "the path of each file",
      size: (until: AbortSignal) => sizesOf(own, until),
    };
    await mayRead(question, signal);
  }
}

async function sizesOf(urls: readonly URL[], signal: AbortSignal): Promise<string> {
  const answers = await Promise.all(urls.map(({ href }) => fromElsewhere(signal, (fetcher) => fetcher.size(href))));
  let bytes = 0;
  for (const answer of answers) {
    if (!answer.ok) return answer.error.message;
    if (answer.value === null) return "The host does not say.";
    bytes += answer.value;
  }
  return `${formatBytes(bytes)}.`;
}

/** The host has to allow this page to read it (CORS). */
export async function fetchFile(name: string, url: URL, signal: AbortSignal): Promise<InputFile> {
  const answer = await fromElsewhere(signal, (fetcher) => fetcher.fetch(url.href));
  if (!answer.ok) throw new Error(`${url.href} could not be fetched: ${answer.error.message}`);
  return { name, blob: answer.value };
}
