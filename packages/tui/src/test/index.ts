export { type Operation, randomTrace, type Shape, shapes } from "./operation.ts";
export { createSecondTerminals, type SecondTerminal } from "./second-terminal.ts";
export { type SeenFrame, Shadow } from "./shadow.ts";
export { type Difference, play, shorten, stress } from "./stress.ts";
export { createFakeTimers, type FakeTimers } from "./timers.ts";
export { recordTty, replay, type Trace } from "./trace.ts";
export { createVirtualTerminal, type VirtualTerminal } from "./virtual-terminal.ts";
