/** Sample settings, with which tests try every kind of channel. */
import type { Typed } from '../domain/channel/typed-settings.ts'

/** Sample settings of one channel. */
export interface Sample {
  /** valid input by form field */
  readonly typed: Typed
  /** settings that are stored for that input */
  readonly settings: unknown
  /** invalid input for each field that can be wrong, in the order of the form */
  readonly mistyped: Typed
}

/** Email address of a fictitious person. */
export const SAMPLE_ADDRESS = 'jane.doe@people.example.org'
export const SAMPLE_PHONE = '+15005550006'

/** Returns a secret that tests can recognize wherever it appears. */
export function sampleSecret(name: string): string {
  return `${name}0Secret1Token2Of3${name}4Channel`
}

/**
 * Creates the sample for a kind whose form has the same fields as its stored settings, or a single field.
 * @param settings a text or an object
 */
export function sampleOf(settings: string | object, mistyped: Typed): Sample {
  const fields = typeof settings === 'string' ? { value: settings } : settings
  return {
    typed: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typedText(value)])),
    settings,
    mistyped,
  }
}

function typedText(value: unknown): string {
  if (value === true) return 'on'
  return Array.isArray(value) ? value.join('\n') : String(value)
}

/** Creates the sample for a kind whose settings are the receiver's secret URL. @param name the kind's name */
export function urlSample(name: string): Sample {
  return sampleOf(sampleUrl(name), { value: 'ftp://example.org' })
}

export function sampleUrl(name: string): string {
  return `https://${name}.example.org/services/${sampleSecret(name)}?key=${sampleSecret(`${name}query`)}`
}

/** Sample for kinds that use a phone number. */
export const PHONE_SAMPLE = sampleOf({ value: SAMPLE_PHONE, down: true, up: true }, { value: '+371' })
