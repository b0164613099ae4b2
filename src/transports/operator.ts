/** Settings of the operator for single kinds of channel: applications and servers, and switches. */
import type { ChannelKind } from '../domain/channel/channel-kind.ts'
import { registry } from './index.ts'
import type { OperatorSetting, OperatorSettings } from './transport.ts'

const KINDS = [...registry.values()]

/** The settings that kinds read, each once, ordered by service. */
export const OPERATOR_SETTINGS: readonly OperatorSetting[] = [
  ...new Map(KINDS.flatMap(({ reads = [] }) => reads.map((setting) => [setting.name, setting]))).values(),
].toSorted((a, b) => serviceOf(a).localeCompare(serviceOf(b), 'en'))

function serviceOf({ name }: OperatorSetting): string {
  return name.slice(0, name.indexOf('_'))
}

/** The settings that turn a kind off. */
export const KIND_SWITCHES: readonly string[] = KINDS.flatMap(({ offSwitch = [] }) => offSwitch)

/** The names of all these settings and switches. */
export const KIND_SETTINGS: ReadonlySet<string> = new Set([
  ...OPERATOR_SETTINGS.map(({ name }) => name),
  ...KIND_SWITCHES,
])

/** @returns the switch that turns this kind off; null if the kind is on */
export function switchedOff(kind: ChannelKind, operator: OperatorSettings): string | null {
  const { offSwitch } = registry.get(kind) ?? {}
  return offSwitch !== undefined && operator[offSwitch] === 'False' ? offSwitch : null
}

/** The error of a delivery to a kind that is off. */
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
