import { always, integer, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "model", group: "Retry" })({
  "retry.max": { ...integer(0, 100, 5), harmless: always, about: "Retries of a failed request." },
  "retry.baseDelayMs": {
    ...integer(0, 600_000, 1000),
    trusted: always,
    about: "Wait before the first retry; each further wait is twice as long.",
  },
  "retry.maxDelayMs": {
    ...integer(0, 86_400_000, 300_000),
    trusted: always,
    about: "Longest wait that a server may ask for.",
  },
});
