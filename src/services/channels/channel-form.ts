/** The channel form. Converts between form fields and the settings for the channel's kind. */
import type { Actor } from '../../domain/actor.ts'
import { type Channel, ChannelSpec, groupMembers } from '../../domain/channel/channel.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { type SettingField, settingFields } from '../../domain/channel/setting-fields.ts'
import {
  initialSettings,
  type Mistakes,
  privateHosts,
  readSettings,
  shownSettings,
  storedSecrets,
  type Typed,
} from '../../domain/channel/typed-settings.ts'
import { Refusal } from '../../domain/errors.ts'
import { fits } from '../../domain/schema.ts'
import { formOf, storedFields } from '../../transports/settings-form.ts'
import type { Transport } from '../../transports/transport.ts'
import type { Deps } from '../common/deps.ts'

export interface ChannelForm {
  readonly fields: readonly SettingField[]
  /** @param settings stored settings; null for a new channel @returns values of the fields, without secrets */
  shown(settings: unknown): Typed
  /**
   * Returns the names of fields with a stored secret. If such a field is left empty, the stored secret is kept.
   * @param settings the stored settings; null for a new channel
   */
  kept(settings: unknown): readonly string[]
  /** @param stored the stored settings, whose secrets are kept if the fields for them are empty; null for a new channel */
  read(typed: Typed, stored: unknown): ReadForm
}

interface ReadForm {
  /** settings to pass to `createChannel`; valid only if there are no mistakes */
  readonly settings: unknown
  /** mistakes, keyed by field name */
  readonly mistakes: Mistakes
  /** hosts that this server is not allowed to send to, keyed by field name */
  readonly refusedHosts: Readonly<Record<string, string>>
}

/** @throws Refusal `channel-kind-unsupported` */
export async function channelForm(
  { store, transports, allowPrivateAddresses }: Pick<Deps, 'store' | 'transports' | 'allowPrivateAddresses'>,
  { project }: Actor,
  kind: ChannelKind,
): Promise<ChannelForm> {
  if (kind === 'group') return groupForm(await store.channels.list(project.id))
  const transport = transports.get(kind)
  if (transport) return formOfKind(transport, allowPrivateAddresses)
  throw new Refusal('channel-kind-unsupported', `this version cannot send to channels of kind ${kind}`, { kind })
}

function formOfKind(transport: Transport, allowPrivateAddresses: boolean): ChannelForm {
  const form = formOf(transport)
  const fields = settingFields(form.fields)
  return {
    fields,
    shown: (settings) =>
      settings === null ? initialSettings(fields) : shownSettings(fields, storedFields(transport, settings)),
    kept: (settings) => (settings === null ? [] : storedSecrets(fields, storedFields(transport, settings))),
    read(typed, stored) {
      const { values, mistakes } = readSettings(
        form.fields,
        typed,
        stored === null ? null : storedFields(transport, stored),
      )
      return {
        settings: form.toSettings(values),
        mistakes: { ...transport.mistakes?.(values), ...mistakes },
        refusedHosts: allowPrivateAddresses ? {} : privateHosts(fields, typed),
      }
    },
  }
}

/** Name of the only field in a group's form. */
const MEMBERS = 'members'
const MEMBER_GONE = 'A chosen integration was deleted. Choose again.'

/** Mistakes to show if {@link createChannel} rejects a form that was still valid a moment ago. */
export const MEMBERS_INVALID: Mistakes = { [MEMBERS]: MEMBER_GONE }

function groupForm(channels: readonly Channel[]): ChannelForm {
  const options = channels
    .filter(({ kind }) => kind !== 'group')
    .map(({ id, name, kind }) => ({ text: id, value: id, words: name || kind }))
  const field: SettingField = {
    name: MEMBERS,
    title: 'Members',
    description: 'An alert to the group goes to each member. A member that the check alerts directly too gets it once.',
    example: '',
    section: '',
    isAdvanced: false,
    docs: '',
    isOptional: false,
    isSecret: false,
    isAddress: false,
    defaultsTo: '',
    initial: '',
    kind: { type: 'several', options },
  }
  return {
    fields: [field],
    shown: (settings) => ({ [MEMBERS]: settings === null ? '' : groupMembers({ settings }).join(',') }),
    kept: () => [],
    read(typed) {
      const chosen = (typed[MEMBERS] ?? '').split(',').filter((id) => id !== '')
      const none =
        options.length === 0 ? 'The project has no integration that could be a member.' : 'Choose at least one.'
      const known = new Set(options.map(({ text }) => text))
      const isKnown = chosen.every((id) => known.has(id))
      const mistake = isKnown ? chosen.length === 0 && none : MEMBER_GONE
      return {
        settings: chosen.join(','),
        mistakes: mistake === false ? {} : { [MEMBERS]: mistake },
        refusedHosts: {},
      }
    },
  }
}

/** Returns true if this is a valid name for a channel. */
export function isChannelName(name: string): boolean {
  return fits(ChannelSpec, { name })
}
