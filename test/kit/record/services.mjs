/**
 * A service of the framework that argv names, whose routes each have a function of their own; requests of several
 * connections overlap in it. Prints the endpoint that each function worked for, as JSON, and ends.
 */
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { context } from "spanflame/record";

/** Of processor time: a busy machine takes no samples from it. */
const MS = 1500;
const used = () => process.cpuUsage().user / 1000;

/** Answers a request after work before and after a pause, in a function of this name. */
function handler(name) {
  // V8 states the name that a function has in its text.
  const text = `return function ${name}(end) { while (used() < end) Math.sqrt(end); }`;
  const work = new Function("used", text)(used);
  return async () => {
    work(used() + 3);
    await sleep(2);
    work(used() + 3);
    return "done";
  };
}
const [users, orders, line, admin, missing, denied] = ["users", "orders", "line", "admin", "missing", "denied"].map(
  (name) => handler(`${name}Work`),
);

const USERS = ["GET", (i) => `/users/${i}?page=${i}`, "usersWork"];
const ORDERS = ["POST", (i) => `/api/v1/orders/${i}-x`, "ordersWork"];
const LINE = ["GET", (i) => `/shops/s${i}/lines/${i}`, "lineWork"];
const ADMIN = ["GET", (i) => `/admin/jobs/${i}`, "adminWork"];
const MISSING = ["GET", (i) => `/wp-${i}.php`, "missingWork"];
const DENIED = ["GET", (i) => `/secret/${i}`, "deniedWork"];

async function ofExpress(name) {
  const { default: express } = await import(name);
  const answer = (work) => async (_, response) => response.send(await work());
  const app = express();
  app.get("/users/:id", answer(users));
  const api = express.Router().post("/orders/:order", answer(orders));
  // Without mergeParams, requests do not have the names around them.
  const shops = express.Router().use("/:shop/lines", express.Router().get("/:line", answer(line)));
  app.use("/api/v1", api).use("/shops", shops);
  app.use("/admin", express().get("/jobs/:job", answer(admin)));
  app.use(async (_, response) => response.status(404).send(await missing()));
  return [
    http.createServer(app),
    [USERS, "GET /users/:id"],
    [ORDERS, "POST /api/v1/orders/:order"],
    [LINE, "GET /shops/:shop/lines/:line"],
    [ADMIN, "GET /admin/jobs/:job"],
    [MISSING, "GET"],
  ];
}

const SERVICES = {
  express: () => ofExpress("express"),
  express4: () => ofExpress("express4"),

  async fastify() {
    const { default: fastify } = await import("fastify");
    const app = fastify();
    app.addHook("onRequest", async ({ url }, reply) => {
      if (url.startsWith("/secret")) reply.code(401).send(await denied());
    });
    app.get("/users/:id", users);
    app.get("/secret/:id", users);
    app.register(async (api) => api.post("/orders/:order", orders), { prefix: "/api/v1" });
    app.setNotFoundHandler(async (_, reply) => reply.code(404).send(await missing()));
    await app.ready();
    return [
      app.server,
      [USERS, "GET /users/:id"],
      [ORDERS, "POST /api/v1/orders/:order"],
      [DENIED, "GET /secret/:id"],
      [MISSING, "GET"],
    ];
  },

  http() {
    // Names of users are words, and ids where there are many of them.
    const named = (i) => `/users/${"abcdefghijklmnopqrstuvwxyz"[i % 26]}ob/profile`;
    const server = http.createServer(async ({ url }, response) => {
      const [, first] = url.split("/");
      if (first === "users") await users();
      else if (first === "api") await orders();
      else {
        response.statusCode = 404;
        await missing();
      }
      response.end();
    });
    return [
      server,
      [["GET", named, "usersWork"], "GET /users/*/profile"],
      [ORDERS, "POST /api/v1/orders/*"],
      [MISSING, "GET"],
    ];
  },

  /** As a middleware of Koa or Hono does it: the route is known after the handler. */
  call() {
    const server = http.createServer(async (_, response) => {
      const text = await users();
      context.set("http.route", "/users/:id");
      response.end(text);
    });
    return [server, [USERS, "GET /users/:id"]];
  },

  /** A server that Node does not tell of. */
  with() {
    const attributes = { "http.request.method": "GET", "http.route": "/users/:id" };
    let span = 0n;
    const server = http.createServer(async (_, response) =>
      context.with({ span: ++span, attributes }, async () => response.end(await users())),
    );
    return [server, [USERS, "GET /users/:id"]];
  },
};

const [server, ...routes] = await SERVICES[process.argv[2]]();
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const { port } = server.address();
const ask = (method, path) =>
  new Promise((done) => {
    http.request({ host: "127.0.0.1", port, method, path }, (answer) => answer.resume().on("end", done)).end();
  });
const end = used() + MS;
async function client([method, path]) {
  for (let i = 0; used() < end || i < 30; i++) await ask(method, path(i));
}
await Promise.all(routes.map(([route]) => client(route)));
server.close();
server.closeAllConnections();
console.log(JSON.stringify(Object.fromEntries(routes.map(([[, , work], endpoint]) => [work, endpoint]))));
