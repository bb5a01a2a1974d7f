/** OpenTelemetry's variables for a receiver: precedence, resulting URLs, and errors. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { settingsIn, trust } from "./otel-environment.ts";

const ALL = "OTEL_EXPORTER_OTLP_";
const PROFILES = "OTEL_EXPORTER_OTLP_PROFILES_";

it.each([
  ["http://collector:4318", "http://collector:4318/v1development/profiles"],
  ["http://collector:4318/", "http://collector:4318/v1development/profiles"],
  ["https://otlp.example/otlp/", "https://otlp.example/otlp/v1development/profiles"],
  ["https://otlp.example/otlp//", "https://otlp.example/otlp/v1development/profiles"],
])("the address of all signals, %s, gets the path of profiles", (base, url) => {
  expect(settingsIn({ [`${ALL}ENDPOINT`]: base }).url()).toBe(url);
});

it.each([
  ["https://otlp.example/otlp", "https://otlp.example/otlp"],
  ["https://otlp.example", "https://otlp.example/"],
])("the address of profiles, %s, is used as it is", (own, url) => {
  expect(settingsIn({ [`${ALL}ENDPOINT`]: "http://a", [`${PROFILES}ENDPOINT`]: own }).url()).toBe(url);
});

it("a variable of profiles wins over that of all signals, and an empty one is unset", () => {
  const general = { HEADERS: "a=1", TIMEOUT: "1000", COMPRESSION: "gzip", PROTOCOL: "http/json", CERTIFICATE: "a.pem" };
  const environment = Object.fromEntries(Object.entries(general).map(([part, text]) => [ALL + part, text]));
  const { url, ...all } = settingsIn(environment);
  expect(url()).toBeUndefined();
  expect(all).toEqual({
    headers: [{ option: `${ALL}HEADERS`, text: "a=1" }],
    timeoutMs: 1000,
    gzip: true,
    json: true,
    certificate: { path: "a.pem", variable: `${ALL}CERTIFICATE` },
    warnings: [],
  });
  const own = { HEADERS: "b=2", TIMEOUT: "5", COMPRESSION: "none", PROTOCOL: "http/protobuf", CERTIFICATE: " " };
  const ownEnvironment = Object.fromEntries(Object.entries(own).map(([part, text]) => [PROFILES + part, text]));
  expect(settingsIn({ ...environment, ...ownEnvironment })).toMatchObject({
    headers: [{ option: `${PROFILES}HEADERS`, text: "b=2" }],
    timeoutMs: 5,
    gzip: false,
    json: false,
    certificate: { path: "a.pem" },
  });
});

it("headers are a list with percent-encoding; a message never repeats a value", () => {
  const headers = (text: string) => settingsIn({ [`${ALL}HEADERS`]: text }).headers.map((each) => each.text);
  expect(headers("api-key=secret, x-b = Basic%20eA%3D%3D ,,c=d=e")).toEqual([
    "api-key=secret",
    "x-b=Basic eA==",
    "c=d=e",
  ]);
  expect(() => headers("api-key=50%secret")).toThrow(
    `${ALL}HEADERS: the header "api-key" has a % that is not of an encoding`,
  );
});

it("what cannot be used is a warning, or an error where nothing can be sent", () => {
  const { warnings, ...rest } = settingsIn({
    [`${ALL}TIMEOUT`]: "10s",
    [`${PROFILES}COMPRESSION`]: "zstd",
    [`${ALL}PROTOCOL`]: "http",
  });
  expect(warnings).toEqual([
    `${ALL}PROTOCOL: "http" is not one of http/protobuf, http/json, grpc, and is ignored`,
    `${PROFILES}COMPRESSION: "zstd" is not one of gzip, none, and is ignored`,
    `${ALL}TIMEOUT: "10s" is not a number of milliseconds, and is ignored`,
  ]);
  expect(rest).toMatchObject({ gzip: false, json: false });
  const address = settingsIn({ [`${ALL}ENDPOINT`]: "localhost:4317" });
  expect(address.url).toThrow(`${ALL}ENDPOINT: "localhost:4317" is not an http or https address`);
  const grpc = settingsIn({ [`${ALL}ENDPOINT`]: "http://a:4317", [`${ALL}PROTOCOL`]: "grpc" });
  expect(grpc.url).toThrow(`${ALL}PROTOCOL is grpc, and push sends by HTTP: name an address by --to`);
});

it("a certificate is trusted where Node can, otherwise the message has the variable that Node reads", async () => {
  const folder = await mkdtemp(join(tmpdir(), "spanflame-certificate-"));
  const certificate = { path: join(folder, "a.pem"), variable: `${ALL}CERTIFICATE` };
  const trusted: (readonly string[])[] = [];
  const tls = { setDefaultCACertificates: (all: readonly string[]) => void trusted.push(all) };
  await expect(trust(certificate, tls)).rejects.toThrow(
    `${ALL}CERTIFICATE: ${certificate.path}: there is no such file`,
  );
  await writeFile(certificate.path, "PEM");
  await trust(certificate, tls);
  expect(trusted).toEqual([["PEM"]]);
  await expect(trust(certificate, {})).rejects.toThrow(
    /^OTEL_EXPORTER_OTLP_CERTIFICATE needs Node .*NODE_EXTRA_CA_CERTS instead$/,
  );
  await rm(folder, { recursive: true });
});
