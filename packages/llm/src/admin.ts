// Vendors, models and keys outside of a conversation; loaded by the commands for them.

export { matches } from "./catalog/find.ts";
export { publicList, refreshCatalogs } from "./catalog/refresh.ts";
export { openRegistry } from "./catalog/registry.ts";
export { checkKey, findKeys, masked } from "./credential/credential.ts";
export { keyStoreFile, openKeyStore } from "./credential/store.ts";
export type { ProbeFinding } from "./probe/check.ts";
export { probe } from "./probe/probe.ts";
export { survey } from "./survey.ts";
export { vendorNames } from "./vendor/table.ts";
export { vendorIn } from "./vendor/vendor.ts";
