// Counting the tokens of requests; loaded when a model has answered, or somebody asks.
export { Calibrations, isSound } from "./calibration.ts";
export { countMessage, countSystem, countTools } from "./message.ts";
