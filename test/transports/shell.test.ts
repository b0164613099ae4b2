/** `shell`: whole commands, each placeholder in each place, settings and conclusions; test/delivery/ runs them. */
import { describe, expect, test } from 'bun:test'
import type { Advice } from '../../src/domain/advice/advice.ts'
import type { ShellAnswer } from '../../src/domain/carrier/shell.ts'
import { firstProblem, type Problem } from '../../src/domain/schema.ts'
import { shell } from '../../src/transports/shell.ts'
import { type Alert, MissingSetting } from '../../src/transports/transport.ts'
import { aCheck, CHECK_ID, NOON } from '../support/builders.ts'
import { downAlert, hostileAlert, rendered, upAlert, wanted, words } from './support.ts'

const operator = { SHELL_ENABLED: 'True' }
const SETTINGS = { cmd_down: 'logger $NAME', cmd_up: 'logger -t $TAG1 $NAME is $STATUS' }

const run = (alert: Alert, settings: object = SETTINGS) => rendered(shell, settings, { ...alert, operator })

/** Returns the rendered template, without the variables before it. */
const filled = (template: string) =>
  run(downAlert(), { ...SETTINGS, cmd_down: template }).command.slice(VARIABLES.length)

const VARIABLES = `overdue_name='Nightly backup'
overdue_tags='prod db'
overdue_advice=''
overdue_tag1='prod'
overdue_tag2='db'
`

describe('the command', () => {
  test('of a check that went down', () => {
    expect(run(downAlert())).toEqual({ command: `${VARIABLES}logger "\${overdue_name}"` })
  })

  test('of a check that recovered', () => {
    const command = `${VARIABLES}logger -t "\${overdue_tag1}" "\${overdue_name}" is up`
    expect(run(upAlert())).toEqual({ command })
  })

  test('contains hostile text only in variables, quoted, without NUL', () => {
    expect(run(hostileAlert())).toEqual({
      command: `overdue_name='"quoted" '\\''single'\\'' \\ <b>bold</b> & *star* _under_ \`tick\` $NAME {{x}}
second line\r
\u001b\u009b\u202e 🎉 @here [a](http://evil.test)'
overdue_tags='"a" <b> 🎉 $NAME \u202e@all'
overdue_advice=''
overdue_tag1='"a"'
overdue_tag2='<b>'
overdue_tag3='🎉'
overdue_tag4='$NAME'
overdue_tag5='\u202e@all'
logger "\${overdue_name}"`,
    })
  })

  test('contains advice in a variable, quoted, also what a program wrote', () => {
    const advice: Advice = {
      kind: 'hollow',
      variant: 'error-line',
      says: ['The last said ', { quote: `'; rm -rf / #` }, '.'],
      fix: { do: 'text', text: 'exit-status' },
      otherFixes: [],
    }
    const { command } = run(downAlert({ advice }), { ...SETTINGS, cmd_down: 'logger $ADVICE' })
    expect(command).toContain(`\noverdue_advice='The last said ‘'\\''; rm -rf / #’.'\n`)
    expect(command).toEndWith(`\nlogger "\${overdue_advice}"`)
  })

  test('has U+FFFD for half of an emoji', () => {
    const { command } = run(downAlert({ check: aCheck({ status: 'down', name: 'a\ud83d' }) }))
    expect(command).toStartWith("overdue_name='a\ufffd'\n")
  })

  test("needs the operator's permission", () => {
    expect(() => shell.render(downAlert(), SETTINGS)).toThrow(new MissingSetting('SHELL_ENABLED'))
  })
})

describe('placeholders', () => {
  /** Returns the variable as written in the command. */
  const its = (name: string) => `\${overdue_${name}}`

  test.each([
    ['$CODE', CHECK_ID],
    ['$STATUS', 'down'],
    ['$NOW', '2026-03-04T12:00:00+00:00'],
    ['$NAME', `"${its('name')}"`],
    ['$TAGS', `"${its('tags')}"`],
    ['$TAG2', `"${its('tag2')}"`],
    ['$ADVICE', `"${its('advice')}"`],
    ['$TAG10', `"${its('tag1')}"0`],
    ['--name=$NAME', `--name="${its('name')}"`],
    ['"$NAME ($STATUS)"', `"${its('name')} (down)"`],
    ['"a \\" $NAME"', `"a \\" ${its('name')}"`],
    ["'$NAME'", `''"${its('name')}"''`],
    ['\\\\$NAME', `\\\\"${its('name')}"`],
    ['\\"$NAME', `\\""${its('name')}"`],
    ['\\$NAME', '\\$NAME'],
    ['$TAG3 $SLUG $HOME $', '$TAG3 $SLUG $HOME $'],
    ["# don't\n$NAME", `# don't\n"${its('name')}"`],
    ['# $NAME\n$NAME', `# \n"${its('name')}"`],
    ["a#'$NAME'", `a#''"${its('name')}"''`],
    ["\\ #'$NAME'", `\\ #''"${its('name')}"''`],
    ['"$(printf "<%s>" "$NAME")"', `"$(printf "<%s>" "${its('name')}")"`],
    ['"$(printf %s $NAME)"', `"$(printf %s "${its('name')}")"`],
    [
      '"a$(b "c$(d \'$NAME\' "$TAG1")" $TAG2)$NAME"',
      `"a$(b "c$(d ''"${its('name')}"'' "${its('tag1')}")" "${its('tag2')}")${its('name')}"`,
    ],
    ['(cd "$NAME" && (ls $TAGS))', `(cd "${its('name')}" && (ls "${its('tags')}"))`],
    ['case $STATUS in down) a "$NAME";; esac', `case down in down) a "${its('name')}";; esac`],
    [`"$HOME/a" "\${HOME}/$NAME"`, `"$HOME/a" "\${HOME}/${its('name')}"`],
    ['"\\$NAME \\" $NAME"', `"\\$NAME \\" ${its('name')}"`],
    ['echo $$ $NAME', `echo $$ "${its('name')}"`],
    ["grep '[[:space:]]((a|b)c)' $NAME", `grep '[[:space:]]((a|b)c)' "${its('name')}"`],
    ['logger "<<$NAME>> [[ let me (( know"', `logger "<<${its('name')}>> [[ let me (( know"`],
    [`echo \${HOME:-$STATUS} $((1 + 1)) \`date\``, `echo \${HOME:-down} $((1 + 1)) \`date\``],
  ])('%j becomes %j', (template, command) => {
    expect(filled(template)).toBe(command)
  })
})

describe('a command with a name or a tag is rejected', () => {
  const told = (what: string) =>
    `a command with $NAME, tags or $ADVICE may not contain ${what}: use $(…), or a script that reads the values from its arguments`

  test.each([
    ['n=$(($TAG1 + 1))', '(('],
    ['"$(($TAG1 + 1))"', '(('],
    ['(( $TAG1 > 1 )) && x', '(('],
    ['[[ $TAG1 -gt 1 ]] && x', '[['],
    ['let x=$TAG1', 'let'],
    ['true; let "x=$NAME"', 'let'],
    ['echo $[$TAG1]', '$['],
    ['echo "$[$TAG1]"', '$['],
    ['a[$NAME]=1', 'a placeholder in a subscript'],
    ['a["$TAGS"]=1', 'a placeholder in a subscript'],
    ['x=`echo $NAME`', '`'],
    ['x="`date`" y $NAME', '`'],
    ['cat <<EOF\n$NAME\nEOF', '<<'],
    ["cat <<'EOF'\n$NAME\nEOF", '<<'],
    ['cat <<<"$NAME"', '<<'],
    ['"$(case $STATUS in up) echo "$NAME";; esac)"', 'case within $(…)'],
    [`echo "\${x:-$NAME}"`, `a placeholder in \${…}`],
    [`echo \${x:$TAG1}`, `a placeholder in \${…}`],
    [`echo "\${x:-$(echo "$NAME")}"`, `a placeholder in \${…}`],
    ["echo $'it\\' $NAME", "$'…\\'…'"],
  ])('with a construct that is unsafe near a value: %j', (template, what) => {
    expect(() => filled(template)).toThrow(told(what))
  })

  test.each(["don't $NAME", '"$NAME', '"$(echo "$NAME")', '$(echo $NAME', '(echo $NAME'])(
    'with a quote or a parenthesis that has no end: %j',
    (template) => {
      expect(() => filled(template)).toThrow('a quote or a parenthesis of the command is not closed')
    },
  )

  test('when the channel is created, even while commands are not allowed', () => {
    expect(() => shell.render(downAlert(), { ...SETTINGS, cmd_down: 'x=`echo $NAME`' })).toThrow(told('`'))
  })

  test('but one without them is left to the shell', () => {
    for (const template of [
      "cat <<'EOF'\n$STATUS\nEOF",
      'echo `date` $((1+1)) $CODE',
      "# can't\n[[ -e x ]]",
      "don't",
    ]) {
      expect(filled(template)).toContain(template.split('$')[0] ?? '')
    }
  })
})

describe('the settings', () => {
  test('want nothing for a status without a command', () => {
    expect(wanted(shell, SETTINGS)).toEqual(['down', 'up'])
    expect(wanted(shell, { ...SETTINGS, cmd_up: '' })).toEqual(['down'])
    expect(wanted(shell, { ...SETTINGS, cmd_down: '' })).toEqual(['up'])
  })

  test.each<[string, object, Problem | null]>([
    ['may have 1000 characters', { cmd_up: '💥'.repeat(1000) }, null],
    ['may have several lines', { cmd_up: 'a\nb' }, null],
    ['may not have 1001', { cmd_up: 'a'.repeat(1001) }, { path: '/cmd_up', violation: 'too long' }],
    ['may hold no NUL', { cmd_down: 'a\0b' }, { path: '/cmd_down', violation: 'mismatch' }],
    ['may leave nothing out', { cmd_down: undefined }, { path: '/cmd_down', violation: 'missing' }],
  ])('%s', (_, given, problem) => {
    expect(firstProblem(shell.settings, { ...SETTINGS, ...given })).toEqual(problem)
  })
})

test.each<[ShellAnswer, string]>([
  [{ kind: 'exited', status: 0 }, 'sent'],
  [{ kind: 'exited', status: 1 }, 'retry: Command returned exit code 1'],
  [{ kind: 'exited', status: 127 }, 'retry: Command returned exit code 127'],
  [{ kind: 'aborted', error: 'Command was killed by SIGTERM' }, 'retry: Command was killed by SIGTERM'],
])('%j means: %s', (answer, conclusion) => {
  expect(words(shell.judge(answer, NOON))).toBe(conclusion)
})
