/** Runs what the system may refuse at any time; true if it did not throw. */
export function attempt(run: () => void): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}
