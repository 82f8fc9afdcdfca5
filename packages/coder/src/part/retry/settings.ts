import { always, integer, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "model", group: "Retry" })({
  "retry.max": { ...integer(0, 100, 5), harmless: always, about: "How often a failed request is tried again." },
  "retry.baseDelayMs": {
    ...integer(0, 600_000, 1000),
    trusted: always,
    about: "The first wait before a request is tried again; each further one is twice as long.",
  },
  "retry.maxDelayMs": {
    ...integer(0, 86_400_000, 300_000),
    trusted: always,
    about: "The longest wait that a server may ask for.",
  },
});

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
