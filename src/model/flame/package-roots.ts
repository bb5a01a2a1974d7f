/** Package roots (`com.acme`, `shop`) and their hues: the part of a package that says whose code it is. */
import { APPLICATION_TONES } from "./colour.ts";

/** First parts of packages that are domains: the next part is the name. Countries have two letters. */
const DOMAINS = new Set(
  `
com org net edu gov mil int info biz app dev cloud software tech eu io me ai co cc tv us uk de fr nl be
ch at it es pt pl cz sk hu ro bg gr se no fi dk is ie ru ua by kz tr il in cn jp kr tw hk sg my id th vn
au nz za br ar cl mx ca lt lv ee hr rs si lu li ma eg ng ke
`.split(/\s+/),
);
/** Below a country: `uk.co.acme`. */
const SECOND_LEVEL = new Set("co com org net ac gov edu or ne go".split(" "));
const SEPARATOR = /[./#]|::/;

export interface PackageRoot {
  root: string;
  /** The package below the root; "" without one. */
  below: string;
}

/** `com.acme` and `shop.cart` for the package `com.acme.shop.cart`, with or without a separator at its end. */
export function rootOf(home: string): PackageRoot {
  // The service of a span.
  if (home.endsWith(": ")) return { root: home.slice(0, -2), below: "" };
  const parts = home.split(SEPARATOR).filter((part) => part !== "");
  const [first = "", second = ""] = parts;
  // Paths of Go begin with a host: `github.com/acme/shop`.
  let length = DOMAINS.has(second) && home.includes("/") ? 3 : 1;
  if (DOMAINS.has(first)) length = first.length === 2 && SECOND_LEVEL.has(second) ? 3 : 2;
  return { root: parts.slice(0, length).join("."), below: parts.slice(length).join(".") };
}

export function hashOf(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return (h ^ (h >>> 15)) >>> 0;
}

/** Roots that have a hue for themselves, by its place. */
const owners: string[] = [];

/**
 * The hue of a package root of the application. The first roots that are seen get hues for themselves; later ones share
 * them. One root keeps its hue until another recording is opened.
 */
export function hueOf(root: string): number {
  const known = owners.indexOf(root);
  if (known >= 0) return known;
  if (owners.length < APPLICATION_TONES.length) return owners.push(root) - 1;
  return hashOf(root) % APPLICATION_TONES.length;
}

/** Changes with every recording: roots may have other hues then. */
export let rootGeneration = 0;

/** For another recording. */
export function forgetRoots(): void {
  owners.length = 0;
  rootGeneration++;
}
