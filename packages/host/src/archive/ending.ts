/** Endings of archives that can be looked into. */
export const archiveEnding =
  /\.(?:tar(?:\.(?:gz|zst|xz|bz2))?|tgz|tzst|txz|tbz2?|zip|jar|war|ear|whl|egg|nupkg|vsix|xpi|gz|zst|xz|bz2)$/i;
export const zipEnding = /\.(?:zip|jar|war|ear|whl|egg|nupkg|vsix|xpi)$/i;
const tarEnding = /\.(?:tar(?:\.\w+)?|tgz|tzst|txz|tbz2?)$/i;

/** True for a file that is packed by itself, not together with others. */
export const isSingle = (path: string): boolean =>
  archiveEnding.test(path) && !zipEnding.test(path) && !tarEnding.test(path);
