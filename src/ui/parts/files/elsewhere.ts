/** Recordings of `?url=`: the question whether to read those on other hosts, and the fetching. */

import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import { URL_FILES } from "../../../model/words/outward.ts";
import type { Coming, InputFile } from "../../../worker/api.ts";
import { fromElsewhere } from "../../../worker/task-workers.ts";
import { mayRead } from "../consent/consent.ts";

/** Other hosts are asked once the user allows it. */
export async function fetchAddresses(addresses: readonly string[], signal: AbortSignal): Promise<InputFile[]> {
  const urls = addresses.map(addressOf);
  await askForFiles(
    urls.filter(({ origin }) => origin !== location.origin),
    signal,
  );
  return Promise.all(urls.map((url) => fetchFile(nameIn(url), url.href, signal)));
}

function addressOf(address: string): URL {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new Error(`?url=${address} is not an http or https address.`);
}

function nameIn({ pathname, host }: URL): string {
  const last = pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last) || host;
  } catch {
    return last;
  }
}

/** The files, of which those that came in part are fetched again. */
export function fetchAgain(files: readonly InputFile[], signal: AbortSignal): Promise<InputFile[]> {
  const again = files.map(async (file) => {
    const { name, coming } = file;
    return coming?.port !== null ? file : fetchFile(name, coming.address, signal);
  });
  return Promise.all(again);
}

/** Asks once for each host. Throws if the user does not allow one of them. */
async function askForFiles(urls: readonly URL[], signal: AbortSignal): Promise<void> {
  for (const origin of new Set(urls.map((url) => url.origin))) {
    const own = urls.filter((url) => url.origin === origin);
    const paths = own.map(({ pathname, search }) => pathname + search);
    const question = {
      origin,
      what: paths,
      amount: `${formatCounted(own.length, "file")}, whole. The size is unknown until the host is asked.`,
      sent: URL_FILES.learns,
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

/**
 * A recording is there with its first bytes, another file with its last ones. Another host has to allow this page
 * (CORS).
 */
export function fetchFile(name: string, address: string, signal: AbortSignal): Promise<InputFile> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    const file: InputFile = { name, blob: new Blob() };
    const begin = (coming: Coming) => {
      file.coming = { ...coming, port: port2 };
      resolve(file);
    };
    const whole = fromElsewhere(signal, (fetcher) => fetcher.fetch(address, port1, begin));
    whole.then((answer) => {
      if (!answer.ok) return reject(new Error(`${address} could not be fetched: ${answer.error.message}`));
      file.blob = answer.value;
      delete file.coming;
      resolve(file);
    });
  });
}
