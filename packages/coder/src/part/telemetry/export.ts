// Loaded when telemetry is on and there is something to tell.
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Event } from "@pith/agent";
import type { Env } from "@pith/host";
import { type Log, sleep } from "@pith/kit";
import { collectorOf, pairsIn, parentIn } from "./otlp.ts";
import { Spans } from "./spans.ts";

export interface ExportOptions {
  env: Env;
  session: string;
  agent: string;
  /** Masks content, which is sent along; undefined when no content may be sent. */
  content: ((text: string) => string) | undefined;
  log: Log;
}

export interface Exporting {
  take(event: Event, at: number): void;
  /** Sends what is left, with a short timeout. */
  end(): Promise<void>;
}

/** Opens the export. Registers nothing globally, because a program that embeds us may have telemetry of its own. */
export function openExporting({ env, session, agent, content, log }: ExportOptions): Exporting {
  const resource = resourceFromAttributes({
    "service.name": "pith",
    ...pairsIn(env.OTEL_RESOURCE_ATTRIBUTES),
    ...(env.OTEL_SERVICE_NAME ? { "service.name": env.OTEL_SERVICE_NAME } : {}),
  });
  let complained = false;
  const complain = (url: string, why: string) => {
    if (!complained) log.write("warn", "telemetry is not taken", { url: withoutKeys(url), why });
    complained = true;
  };
  const [traces, metrics] = [collectorOf("traces", env), collectorOf("metrics", env)];
  const exporter = traces && quiet(new OTLPTraceExporter(traces as Configuration), (why) => complain(traces.url, why));
  const reader =
    metrics &&
    new PeriodicExportingMetricReader({
      exporter: quiet(new OTLPMetricExporter(metrics as Configuration), (why) => complain(metrics.url, why)),
      exportIntervalMillis: intervalMs,
      exportTimeoutMillis: Math.min(metrics.timeoutMillis, intervalMs),
    });
  const tracers = new TracerProvider({
    resource,
    spanLimits: { attributeValueLengthLimit: mostCharacters },
    spanProcessors: exporter ? [new BatchSpanProcessor({ exporter, exportTimeoutMillis: traces.timeoutMillis })] : [],
  });
  const meters = new MeterProvider({ resource, readers: reader ? [reader] : [] });
  const parent = parentIn(env);
  const spans = new Spans({
    tracer: tracers.getTracer("pith"),
    meter: meters.getMeter("pith"),
    around: parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT,
    session,
    agent,
    content,
  });
  return {
    take: (event, at) => spans.take(event, at),
    async end() {
      const enough = new AbortController();
      const ended = Promise.allSettled([tracers.shutdown(), meters.shutdown()]);
      const late = await Promise.race([ended.then(() => undefined), sleep(patienceMs, enough.signal)]);
      enough.abort();
      if (late) complain((traces ?? metrics)?.url ?? "", "no answer in time");
    },
  };
}

/** Avoids importing a package only for its enumeration of compressions. */
type Configuration = ConstructorParameters<typeof OTLPTraceExporter>[0];

interface Exporter {
  // biome-ignore lint/suspicious/noExplicitAny: what both exporters of the libraries take
  export(items: any, done: (result: { code: number; error?: Error }) => void): void;
}

/** Reports failures to us, not to the global logger of the library. What could not be sent is lost. */
function quiet<T extends Exporter>(exporter: T, failed: (why: string) => void): T {
  const send = exporter.export.bind(exporter);
  exporter.export = (items: unknown, done: Parameters<Exporter["export"]>[1]) =>
    send(items, (result) => {
      if (result.code !== 0) failed(result.error?.message ?? "no reason was given");
      done({ code: 0 });
    });
  return exporter;
}

/** Removes a name and a key from an address. */
const withoutKeys = (url: string): string => (URL.canParse(url) ? new URL(url).origin : "a wrong address");

const intervalMs = 10_000;
const patienceMs = 1500;
const mostCharacters = 16_384;
