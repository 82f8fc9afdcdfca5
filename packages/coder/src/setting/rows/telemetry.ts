import type { Spec } from "../spec.ts";

/** What leaves the machine is for the user to say: no project may set any of it, trusted or not. */
export const telemetrySettings = {
  "telemetry.enabled": {
    type: "switch",
    default: false,
    tab: "session",
    group: "Telemetry",
    about: "Whether traces and metrics go to an OpenTelemetry collector (OTEL_EXPORTER_OTLP_…); docs/telemetry.md.",
  },
  "telemetry.content": {
    type: "switch",
    default: false,
    tab: "session",
    group: "Telemetry",
    about: "Whether they hold what was said, and arguments and results of tools; keys are masked all the same.",
  },
} as const satisfies Record<string, Spec>;
