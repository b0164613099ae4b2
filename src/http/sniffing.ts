/** For answers that repeat what strangers wrote: a browser must not take them for anything but what they say they are. */
export const NOT_SNIFFED = { 'x-content-type-options': 'nosniff' } as const
