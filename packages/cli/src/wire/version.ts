/** Of the names and shapes on the wire: it grows when something is taken away or means something else. */
export const wireVersion = 1;
