/** The dump in the pictures of the tour: an hour of a shop, with 400 calls, made by the tests' writer of dumps. */
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { runnerImport } from "vite";

const START = Date.UTC(2026, 2, 3, 9);
const CALLS = 400;
const HOUR = 3_600_000;

const texts = (className, jar, ...methods) =>
  Object.fromEntries(
    methods.map((name, i) => [
      `${className.split(".").at(-1)}.${name}`,
      `void ${className}.${name}() (${className.split(".").at(-1)}.java:${20 + 13 * i}) [${jar}]`,
    ]),
  );
const METHODS = {
  ...texts("com.acme.shop.api.OrderResource", "shop-api.jar", "checkout", "list"),
  ...texts("com.acme.shop.api.CatalogResource", "shop-api.jar", "search"),
  ...texts("com.acme.shop.cart.CartService", "shop-core.jar", "load", "total"),
  ...texts("com.acme.shop.cart.CouponMatcher", "shop-core.jar", "match"),
  ...texts("com.acme.shop.pay.PaymentClient", "shop-core.jar", "authorize"),
  ...texts("com.acme.shop.stock.StockService", "shop-core.jar", "reserve"),
  ...texts("org.hibernate.loader.Loader", "hibernate-core.jar", "doQuery"),
  ...texts("org.postgresql.jdbc.PgPreparedStatement", "postgresql.jar", "executeQuery", "executeUpdate"),
  ...texts("org.apache.http.impl.client.InternalHttpClient", "httpclient.jar", "doExecute"),
};

/** Numbers below `n`, the same in every run (a linear congruential generator, its high bits). */
let state = 0;
function below(n) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
}

const frame = (name, after, children = [], tags = []) => ({
  method: METHODS[name],
  before: below(3),
  after,
  children,
  tags,
});
const sql = (value) => [{ name: "sql", value, in: "sql" }];
const query = (text, ms) =>
  frame("Loader.doQuery", below(3), [frame("PgPreparedStatement.executeQuery", ms, [], sql(text))]);

function checkout(i) {
  const isSlow = i % 37 === 5;
  const lines = 2 + below(5);
  const items = Array.from({ length: lines }, (_, line) =>
    frame("StockService.reserve", below(3), [
      frame(
        "PgPreparedStatement.executeUpdate",
        3 + below(9),
        [],
        sql(`update stock set free = free - 1 where item = ${4000 + line}`),
      ),
    ]),
  );
  const coupons = isSlow
    ? [frame("CouponMatcher.match", 240 + below(300)), frame("CouponMatcher.match", 90 + below(60))]
    : [];
  return frame("OrderResource.checkout", 4 + below(8), [
    frame("CartService.load", below(4), [query(`select * from cart where id = ${i}`, 8 + below(30))]),
    frame("CartService.total", 2 + below(4), coupons),
    ...items,
    frame("PaymentClient.authorize", 1, [frame("InternalHttpClient.doExecute", 60 + below(isSlow ? 500 : 90))]),
  ]);
}

const KINDS = [
  { title: () => "POST /checkout", root: checkout },
  {
    title: (i) => `GET /orders?customer=${i}`,
    root: (i) => frame("OrderResource.list", 3, [query(`select * from orders where customer = ${i}`, 10 + below(50))]),
  },
  {
    title: () => "GET /catalog/search",
    root: () =>
      frame("CatalogResource.search", 6, [query("select * from item where name like 'tea%'", 20 + below(40))]),
  },
];

const call = (_, i) => {
  const kind = KINDS[i % 4 === 3 ? 0 : i % 3];
  return {
    threadId: 30 + (i % 6),
    thread: `http-nio-8080-exec-${1 + (i % 6)}`,
    at: START + Math.floor((i * HOUR) / CALLS) + below(4000),
    root: kind.root(i),
    isRecorded: true,
    reactive: 0,
    params: {
      "profiler.title": [kind.title(i)],
      ...(i % 74 === 5 && { "call.red": ["true"] }),
    },
  };
};

/** The archive, as the file input takes it. */
export async function shopDump() {
  const kit = fileURLToPath(new URL("../../test/kit/cdt/cdt-writer.ts", import.meta.url));
  const { asFolder, writeStreams } = (await runnerImport(kit)).module;
  state = 11;
  const calls = Array.from({ length: CALLS }, call);
  const pauses = Array.from({ length: 90 }, () => [40_000, 30 + below(60)]);
  const { streams } = writeStreams({ calls, start: START, pauses });
  const files = asFolder(streams, `shop/checkout-1/2026/03/03/${START}`);
  return { name: "shop.zip", mimeType: "application/zip", buffer: Buffer.from(zipSync(files, { level: 0 })) };
}
