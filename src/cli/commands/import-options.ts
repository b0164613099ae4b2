/** Of all commands that import. */
export const IMPORT_OPTIONS = { apply: { type: 'boolean', default: false } } as const
