import type { Env } from "@pith/host";
import { tryOr } from "@pith/kit";

/** The collector of a kind of data, by the variables of OpenTelemetry. */
export interface Collector {
  url: string;
  headers: Record<string, string>;
  timeoutMillis: number;
  compression: "gzip" | "none";
}

/** Reads the collector of a kind; undefined when it is switched off. */
export function collectorOf(kind: "traces" | "metrics", env: Env): Collector | undefined {
  if (env[`OTEL_${kind.toUpperCase()}_EXPORTER`]?.trim() === "none") return undefined;
  const of = (name: string) => nonEmpty(env[`OTEL_EXPORTER_OTLP_${kind.toUpperCase()}_${name}`]);
  const any = (name: string) => nonEmpty(env[`OTEL_EXPORTER_OTLP_${name}`]);
  const base = any("ENDPOINT") ?? "http://localhost:4318";
  const timeout = Number(of("TIMEOUT") ?? any("TIMEOUT"));
  return {
    // The endpoint of one kind is used as it is; below the common one each kind has its path.
    url: of("ENDPOINT") ?? `${base.replace(/\/+$/, "")}/v1/${kind}`,
    headers: { ...pairsIn(any("HEADERS")), ...pairsIn(of("HEADERS")) },
    timeoutMillis: timeout > 0 && timeout <= mostMs ? timeout : usualMs,
    compression: (of("COMPRESSION") ?? any("COMPRESSION")) === "gzip" ? "gzip" : "none",
  };
}

/** Reads `a=1,b=2`, with percent-encoding. */
export function pairsIn(text: string | undefined): Record<string, string> {
  const pairs = (text ?? "").split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 1 ? [] : [[decoded(pair.slice(0, at).trim()), decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

/** Reads the parent span of the caller. */
export function parentIn(env: Env): { traceId: string; spanId: string; traceFlags: number } | undefined {
  const [, traceId = "", spanId = "", flags = ""] =
    /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(env.TRACEPARENT?.trim() ?? "") ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

const nonEmpty = (value: string | undefined): string | undefined => (value?.trim() ? value.trim() : undefined);
/** Shorter than the second after which the library would try again, because the end of the process waits for it. */
const usualMs = 900;
const mostMs = 60_000;

const decoded = (text: string): string => tryOr(() => decodeURIComponent(text), text);
