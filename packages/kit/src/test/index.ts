export { type Scratch, scratch } from "./scratch.ts";
export { alive, bytesRead, cpuSince, until } from "./until.ts";
