// Loaded only where somebody chooses by hand.
export { chooseWay } from "@pith/host";
