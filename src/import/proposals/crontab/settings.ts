/** Tracks the settings of a crontab, which apply to the lines below them. */

import type { ImportNote } from '../../../domain/import/import-note.ts'
import { meantTimeZone } from '../../../domain/schedule/similar-time-zone.ts'
import { canonicalTimeZone } from '../../../domain/schedule/time-zones.ts'
import { seemsToPing } from '../pinging-already.ts'
import { noteOf } from '../proposal.ts'

/** Maximum length of a value that may be part of a URL. */
const VALUE_LIMIT = 1_000

export class CrontabSettings {
  shell = '/bin/sh'
  /** time zone that applies to the lines below; null for the machine's zone */
  zone: string | null = null
  /** reason for choosing the zone, as a sentence without the final full stop; null if no line sets the zone */
  zoneReason: string | null = null
  randomDelaySeconds = 0
  /** true if cron mails the output of the jobs below to the email address of a check */
  mailsToCheck = false
  readonly #isZoneCertain: boolean
  readonly #needsCurl: boolean
  readonly #values = new Map<string, string>()
  /**
   * Number of unknown zones for which a similar zone may still be searched. A search takes milliseconds, and a file may contain thousands
   * of unknown zones.
   */
  #suggestions = 20

  /** @param isZoneCertain true if lines cannot change the zone @param needsCurl true if the jobs ping with curl */
  constructor(isZoneCertain: boolean, needsCurl: boolean) {
    this.#isZoneCertain = isZoneCertain
    this.#needsCurl = needsCurl
  }

  /** @param place such as `line 5` */
  apply(name: string, value: string, place: string): readonly ImportNote[] {
    if (value.length <= VALUE_LIMIT) this.#values.set(name, value)
    if (name === 'SHELL') this.shell = value
    if (name === 'CRON_TZ') return this.#isZoneCertain ? [] : this.#applyZone(value, place)
    if (name === 'TZ')
      return [noteOf('changed', 'setting', place, 'TZ applies to the commands only; cron does not schedule by it.')]
    if (name === 'RANDOM_DELAY') {
      const minutes = /^\d{1,5}$/.test(value) ? Number(value) : 0
      this.randomDelaySeconds = minutes * 60
    }
    if (name === 'MAILTO') return this.#applyAddress(value, place)
    if (name === 'PATH' && this.#needsCurl && !findsCurl(value))
      return [noteOf('to-do', 'setting', place, NO_CURL, NO_CURL_ADVICE)]
    return seemsToPing(`${name}=${value}`) ? [noteOf('to-do', 'setting', place, PINGED, PINGED_ADVICE)] : []
  }

  /** Returns a command in which variables are replaced with their values. */
  expanded(command: string): string {
    return command.replace(
      /\$(?:(\w+)|\{(\w+)\})/g,
      (whole, bare?: string, braced?: string) => this.#values.get(bare ?? braced ?? '') ?? whole,
    )
  }

  #applyAddress(value: string, place: string): readonly ImportNote[] {
    this.mailsToCheck = seemsToPing(value)
    if (value === '' || this.mailsToCheck) return []
    return [noteOf('to-do', 'setting', place, MAILED, MAILED_ADVICE)]
  }

  #applyZone(value: string, place: string): readonly ImportNote[] {
    this.zone = value === '' ? null : canonicalTimeZone(value)
    this.zoneReason =
      value === ''
        ? 'CRON_TZ is empty, so the zone is that of the machine'
        : 'the zone is that of CRON_TZ, which cronie reads and the cron of Debian ignores'
    if (value === '' || this.zone !== null) return []
    // Jobs below an unknown zone are skipped. Otherwise they would be expected at the wrong time.
    this.zone = value
    const meant = this.#suggestions-- > 0 ? meantTimeZone(value) : null
    const advice = `Write ${meant ?? 'one such as Europe/Riga'}; the jobs below are left out.`
    return [noteOf('to-do', 'setting', place, 'CRON_TZ is not an IANA name.', advice)]
  }
}

/** Returns true if one of the directories usually contains curl. cron does not expand variables. */
const findsCurl = (path: string) => path.split(':').some((folder) => CURL_FOLDERS.has(folder.replace(/\/$/, '')))
const CURL_FOLDERS = new Set(['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin', '/opt/local/bin', '/snap/bin'])
const NO_CURL = 'PATH has no directory that usually contains curl, so the jobs below may not be able to ping.'
const NO_CURL_ADVICE = 'Add the directory that contains curl, such as /usr/bin.'

const MAILED = 'MAILTO sends the output of the jobs below it. Checks send alerts to their integrations only.'
const MAILED_ADVICE = 'Create an email integration with that address, and assign it to the checks.'
const PINGED = 'It names a check that is pinged already. A script below it may read that setting, and ping too.'
const PINGED_ADVICE = 'Check the scripts below, and leave lines unchanged whose script pings.'
