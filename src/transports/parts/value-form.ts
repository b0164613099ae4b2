/** The form of settings that are one value, or of which people fill in only one. */
import { type Static, type TSchema, Type } from '../../domain/schema.ts'
import type { SettingsForm } from '../transport.ts'

/** Its only field. */
const ONLY = 'value'

/** @param schema of the value, which becomes the settings @param read finds it in from stored settings */
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
