import { settingGroup, toggle } from "../../setting/spec.ts";

/** Only the user decides what leaves the machine: no project may set any of these, trusted or not. */
export const settings = settingGroup({ tab: "session", group: "Telemetry" })({
  "telemetry.enabled": {
    ...toggle(false),
    about: "Sends traces and metrics to an OpenTelemetry collector (OTEL_EXPORTER_OTLP_…); docs/telemetry.md.",
  },
  "telemetry.content": {
    ...toggle(false),
    about: "Includes messages, arguments and results of tools; keys are still masked.",
  },
});
