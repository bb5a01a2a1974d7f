#!/usr/bin/env node
/**
 * The packages whose code is in our builds, by the notices of the builds. All of them are devDependencies, so
 * `npm audit --omit=dev` and `npm sbom --omit=dev` know none of them.
 *
 *   bundled.mjs audit        prints the advisories about them; the exit code is 1 if there is one
 *   bundled.mjs sbom FILE    writes their list in the format CycloneDX
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ROOT } from "./run.mjs";

/** `name@version` of each package in the titles of notices: `name version (licence)`. */
export function bundledIn(notices) {
  const titles = notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d\S*) \(.+\)$/gm);
  return [...new Set([...titles].map(([, name, version]) => `${name}@${version}`))].sort();
}

/** Lines about advisories of bundled packages, of the answer of `npm audit --json`. */
export function advisoriesOf(audit, bundled) {
  if (audit?.vulnerabilities === undefined) throw new Error(`npm audit: ${audit?.message ?? "no answer"}`);
  const names = new Set(bundled.map((each) => each.slice(0, each.lastIndexOf("@"))));
  return Object.values(audit.vulnerabilities).flatMap(({ name, via }) => {
    // A text is the name of a dependency, which has an entry itself.
    const own = names.has(name) ? via.filter((each) => typeof each === "object") : [];
    return own.map(({ severity, title, range, url }) => `${name} ${range}: ${severity}: ${title} (${url})`);
  });
}

/** The part of a CycloneDX list that is about bundled packages. */
export function sbomOf(sbom, bundled) {
  const wanted = new Set(bundled);
  const components = sbom.components.filter((each) => wanted.has(each["bom-ref"]));
  const listed = new Set(components.map((each) => each["bom-ref"]));
  const missing = bundled.filter((each) => !listed.has(each));
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(", ")}`);
  const root = sbom.metadata.component["bom-ref"];
  const dependencies = sbom.dependencies.flatMap(({ ref, dependsOn }) => {
    if (ref === root) return [{ ref, dependsOn: bundled }];
    return listed.has(ref) ? [{ ref, dependsOn: dependsOn.filter((each) => listed.has(each)) }] : [];
  });
  // No package is there for development only.
  const shipped = components.map(({ properties: _, ...rest }) => ({ ...rest, scope: "required" }));
  return { ...sbom, components: shipped, dependencies };
}

export function noticesOfBuilds() {
  const folders = ["dist", "dist-lib", "dist-node"].map((name) => join(ROOT, name));
  const files = folders.flatMap((folder) => {
    const names = readdirSync(folder).filter((name) => /^THIRD-PARTY-NOTICES.*\.txt$/.test(name));
    if (names.length === 0) throw new Error(`${folder} has no notices; npm run build makes them`);
    return names.map((name) => join(folder, name));
  });
  return files.map((file) => readFileSync(file, "utf8")).join("\n");
}

/** `npm audit` ends with 1 if it finds something. */
export async function npmJson(...args) {
  const options = { cwd: ROOT, maxBuffer: 2 ** 28, shell: process.platform === "win32" };
  const { stdout } = await promisify(execFile)("npm", args, options).catch((error) => error);
  if (!stdout) throw new Error(`npm ${args[0]} printed nothing`);
  return JSON.parse(stdout);
}

async function main([what, file]) {
  const bundled = bundledIn(noticesOfBuilds());
  if (what === "audit") {
    const lines = advisoriesOf(await npmJson("audit", "--json"), bundled);
    for (const line of lines) console.log(line);
    console.log(`${bundled.length} bundled packages, ${lines.length} advisories`);
    return lines.length === 0 ? 0 : 1;
  }
  if (what !== "sbom" || file === undefined) throw new Error("bundled.mjs audit, or bundled.mjs sbom FILE");
  const all = await npmJson("sbom", "--sbom-format", "cyclonedx", "--package-lock-only");
  writeFileSync(file, `${JSON.stringify(sbomOf(all, bundled), null, 1)}\n`);
  return 0;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main(argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
