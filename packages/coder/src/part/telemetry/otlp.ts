import type { Env } from "@pith/host";

/** Where one kind of data goes, as the variables of OpenTelemetry say; undefined where it shall not go anywhere. */
export interface Target {
  url: string;
  headers: Record<string, string>;
  timeoutMillis: number;
  compression: "gzip" | "none";
}

export function targetOf(kind: "traces" | "metrics", env: Env): Target | undefined {
  if (env[`OTEL_${kind.toUpperCase()}_EXPORTER`]?.trim() === "none") return undefined;
  const of = (name: string) => said(env[`OTEL_EXPORTER_OTLP_${kind.toUpperCase()}_${name}`]);
  const any = (name: string) => said(env[`OTEL_EXPORTER_OTLP_${name}`]);
  const base = any("ENDPOINT") ?? "http://localhost:4318";
  const timeout = Number(of("TIMEOUT") ?? any("TIMEOUT"));
  return {
    // Of one kind the address stands as it is; of all, each kind has its place below.
    url: of("ENDPOINT") ?? `${base.replace(/\/+$/, "")}/v1/${kind}`,
    headers: { ...pairsIn(any("HEADERS")), ...pairsIn(of("HEADERS")) },
    timeoutMillis: timeout > 0 && timeout <= mostMs ? timeout : usualMs,
    compression: (of("COMPRESSION") ?? any("COMPRESSION")) === "gzip" ? "gzip" : "none",
  };
}

/** `a=1,b=2`, with what has another meaning written as in an address. */
export function pairsIn(text: string | undefined): Record<string, string> {
  const pairs = (text ?? "").split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 1 ? [] : [[decoded(pair.slice(0, at).trim()), decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

/** The span that somebody else has begun, for whom we work. */
export function parentIn(env: Env): { traceId: string; spanId: string; traceFlags: number } | undefined {
  const [, traceId = "", spanId = "", flags = ""] =
    /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(env.TRACEPARENT?.trim() ?? "") ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

const said = (value: string | undefined): string | undefined => (value?.trim() ? value.trim() : undefined);
/** Below the second after which a delivery that failed would be tried again: at the end somebody waits for it. */
const usualMs = 900;
const mostMs = 60_000;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
