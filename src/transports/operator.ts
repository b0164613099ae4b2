/** Operator settings that concern one kind of channel: applications, servers and switches. */
import type { ChannelKind } from '../domain/channel/channel-kind.ts'
import { registry } from './index.ts'
import type { OperatorSetting, OperatorSettings } from './transport.ts'

const KINDS = [...registry.values()]

/** All operator settings that any kind of channel reads, without duplicates, sorted by service. */
export const OPERATOR_SETTINGS: readonly OperatorSetting[] = [
  ...new Map(KINDS.flatMap(({ reads = [] }) => reads.map((setting) => [setting.name, setting]))).values(),
].toSorted((a, b) => serviceOf(a).localeCompare(serviceOf(b), 'en'))

function serviceOf({ name }: OperatorSetting): string {
  return name.slice(0, name.indexOf('_'))
}

/** Names of the settings that switch off a kind of channel. */
export const KIND_SWITCHES: readonly string[] = KINDS.flatMap(({ offSwitch = [] }) => offSwitch)

/** Names of all operator settings and switches that concern one kind of channel. */
export const KIND_SETTINGS: ReadonlySet<string> = new Set([
  ...OPERATOR_SETTINGS.map(({ name }) => name),
  ...KIND_SWITCHES,
])

/** @returns the setting that switches this kind off; null if the kind is on */
export function switchedOff(kind: ChannelKind, operator: OperatorSettings): string | null {
  const { offSwitch } = registry.get(kind) ?? {}
  return offSwitch !== undefined && operator[offSwitch] === 'False' ? offSwitch : null
}

/** Returns the error for a delivery to a kind that is switched off. */
export function switchedOffWords(kind: ChannelKind): string {
  return `${kind} notifications are not enabled on this server`
}

/** @returns the settings that the operator must add before channels of this kind can receive messages; empty if none is missing */
export function missingSettings(kind: ChannelKind, operator: OperatorSettings): readonly string[] {
  const { reads = [] } = registry.get(kind) ?? {}
  return reads
    .filter(({ name, or = name, isOptional }) => !(isOptional || operator[name] || operator[or]))
    .map(({ name }) => name)
}
