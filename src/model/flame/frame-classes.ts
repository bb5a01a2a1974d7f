/** What frames are told apart by, with the colour and the words of each: loaded by whoever asks for another than the package. */

import { type Colouring, type Look, ownPrefixes } from "../query/look.ts";
import { withoutHiddenAddress } from "../words/text.ts";
import {
  APPLICATION,
  IN_JDK,
  JAVA,
  JDK,
  KERNEL,
  LIBRARY,
  NATIVE,
  packageOf,
  type Tone,
  toneOf,
  UNKNAPPLICATION,
} from "./colour.ts";
import type { FrameTypeName } from "./frame-types.ts";

/** What a colour stands for: all frames with one label have one tone. */
export interface FrameClass {
  /** "" where there is nothing to say. */
  label: string;
  tone: Tone;
}

const KINDS: Record<FrameTypeName, FrameClass> = {
  jvm: { label: "Java", tone: JAVA },
  native: { label: "native", tone: NATIVE },
  kernel: { label: "kernel", tone: KERNEL },
  "": { label: "not said", tone: UNKNAPPLICATION },
};
const JDK_CLASS: FrameClass = { label: "JDK", tone: JDK };
/** Roots of what applications are made of and hardly ever are themselves. */
const IN_LIBRARY =
  /^(org\.(apache|springframework|hibernate|eclipse|jboss|wildfly|glassfish|slf4j|postgresql|mariadb|mongodb|elasticsearch|opensearch|jooq|junit|codehaus|xerial|bouncycastle|reactivestreams|yaml|json|objectweb|aspectj|mozilla|infinispan|quartz|thymeleaf|flywaydb|liquibase|jetbrains|h2|lz4)|com\.(google|fasterxml|zaxxer|mysql|netflix|amazonaws|microsoft|azure|datastax|rabbitmq|hazelcast|squareup|github|twitter|lmax|ibm|mchange|esotericsoftware|typesafe|datadog|newrelic|dynatrace)|software\.amazon|io\.(netty|grpc|micrometer|micronaut|quarkus|vertx|undertow|lettuce|reactivex|opentelemetry|opentracing|prometheus|r2dbc|projectreactor|smallrye|dropwizard|ktor|jsonwebtoken|swagger)|net\.(bytebuddy|sf|jpountz)|reactor|kotlin|kotlinx|scala|akka|clojure|groovy|ch\.qos|jakarta|redis\.clients|okhttp3|okio|retrofit2|datadog|one\.profiler|antlr|rx|feign|play|zio|cats|brave|zipkin2)(\.|$)/;

/** The class of a frame, which decides its colour. */
export function classOf(look: Look): (name: string, kind: FrameTypeName) => FrameClass {
  const own = ownPrefixes(look);
  return (name, kind) => CLASSES[look.colouring](name, kind, own);
}

type ClassOf = (name: string, kind: FrameTypeName, own: readonly string[]) => FrameClass;

const CLASSES: Record<Colouring, ClassOf> = {
  package: (name, kind) => {
    if (kind === "native" || kind === "kernel") return KINDS[kind];
    const home = packageOf(name);
    if (home === "") return { label: "no package", tone: UNKNAPPLICATION };
    if (IN_JDK.test(home)) return JDK_CLASS;
    return { label: home, tone: toneOf(name, kind) };
  },
  kind: (_, kind) => KINDS[kind],
  origin: (name, kind, own) => {
    if (own.some((prefix) => name.startsWith(prefix))) return { label: "application code", tone: APPLICATION };
    if (kind === "native" || kind === "kernel") return KINDS[kind];
    const path = withoutHiddenAddress(name).split("(", 1)[0];
    if (!path.includes(".")) return KINDS[""];
    if (IN_JDK.test(path)) return JDK_CLASS;
    // With packages named, everything outside of them is a library.
    const isLibrary = own.length > 0 || IN_LIBRARY.test(path);
    return isLibrary ? { label: "library", tone: LIBRARY } : { label: "application code", tone: APPLICATION };
  },
};
