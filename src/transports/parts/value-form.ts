/** The form for settings that are a single value, or of which users enter only one. */
import { type Static, type TSchema, Type } from '../../domain/schema.ts'
import type { SettingsForm } from '../transport.ts'

/** Name of the form's only field. */
const ONLY = 'value'

/** @param schema schema of the value, which becomes the settings @param read extracts the value from stored settings */
export function valueForm<Settings extends TSchema>(
  schema: TSchema,
  read: (settings: Static<Settings>) => unknown,
): SettingsForm<Settings> {
  return {
    fields: Type.Object({ [ONLY]: schema }),
    toFields: (settings) => ({ [ONLY]: read(settings) }),
    toSettings: (values) => values[ONLY],
  }
}
