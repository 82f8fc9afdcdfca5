// What a person does with vendors, models and keys outside a conversation; loaded by the commands that do it.
export { openBook } from "./catalog/book.ts";
export { matches } from "./catalog/find.ts";
export { publicList, refreshCatalogs } from "./catalog/refresh.ts";
export { checkKey, lookForKeys, masked } from "./credential/credential.ts";
export { openStore, storeFile } from "./credential/store.ts";
export type { Finding } from "./probe/check.ts";
export { probe } from "./probe/probe.ts";
export { survey } from "./survey.ts";
export { vendorIn } from "./vendor/registry.ts";
export { vendorNames } from "./vendor/table.ts";
