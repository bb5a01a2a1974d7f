/** A service whose requests know their tenant: `node --import spanflame/record service.mjs [requests]`. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { context } from "spanflame/record";

function price(order) {
  let hash = order;
  for (let i = 0; i < 2000; i++) hash = createHash("sha256").update(hash).digest("hex");
  return hash;
}

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  // The recorder has given the request a root; this adds what a colleague will filter by.
  await context.with({ attributes: { "http.route": pathname, tenant: searchParams.get("tenant") } }, async () => {
    const prices = await Promise.all(["book", "pen", "ink"].map(async (order) => price(order)));
    response.end(prices.join("\n"));
  });
}

const server = http.createServer(answer).listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address();
for (let i = 0; i < Number(process.argv[2] ?? 40); i++)
  await (await fetch(`http://127.0.0.1:${port}/checkout?tenant=${i % 2 ? "eu" : "us"}`)).text();
server.close();
server.closeAllConnections();
