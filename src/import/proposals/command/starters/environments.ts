/** Programs that set variables, tool versions or secrets for the program that they start. */
import type { Starter } from './starter.ts'

const EXEC: Starter = { subcommands: { exec: {} } }
const BEHIND_DASHES: Starter = { behind: /^--$/ }
const TOOLS: Starter = { behind: /^--$/, line: /^(?:-c|--command=?)(.*)$/s }
const CONDA: Starter = {
  subcommands: {
    run: {
      flags: 'v',
      valued: 'npra',
      longFlags: 'verbose no-capture-output live-stream clean-env',
      longValued: 'name prefix root-prefix cwd env attach',
    },
  },
}

export const ENVIRONMENTS: Readonly<Record<string, Starter>> = {
  asdf: EXEC,
  'aws-vault': {
    subcommands: {
      exec: { flags: 'njs', valued: 'dt', longFlags: '*', longValued: 'duration region mfa-token prompt', skip: 1 },
    },
  },
  bundle: EXEC,
  chamber: { subcommands: { exec: BEHIND_DASHES } },
  conda: CONDA,
  direnv: { subcommands: { exec: { skip: 1 } } },
  doppler: { subcommands: { run: { valued: 'pc', longValued: 'project config' } } },
  dotenv: { valued: 'f', subcommands: { run: {} } },
  env: {
    flags: 'iv0',
    valued: 'uCPS',
    longFlags: 'ignore-environment debug null',
    longValued: 'unset chdir split-string',
    line: /^(?:-[iv0]*S|--split-string=?)(.*)$/s,
  },
  envdir: { skip: 1 },
  infisical: { subcommands: { run: BEHIND_DASHES } },
  mamba: CONDA,
  micromamba: CONDA,
  mise: { valued: 'C', subcommands: { exec: TOOLS, x: TOOLS } },
  nix: { subcommands: { develop: { behind: /^(?:-c|--command)$/ }, shell: { behind: /^(?:-c|--command)$/ } } },
  'nix-shell': { rest: 'nothing', line: /^--(?:run|command)=?(.*)$/s },
  op: { subcommands: { run: BEHIND_DASHES } },
  pipenv: { subcommands: { run: {} } },
  poetry: { flags: 'nqv', valued: 'CP', longValued: 'directory project', subcommands: { run: {} } },
  pyenv: EXEC,
  rbenv: EXEC,
  sops: { subcommands: { 'exec-env': { skip: 1, rest: 'line' } } },
  uv: {
    subcommands: {
      run: {
        flags: 'qvn',
        valued: 'pw',
        longFlags: 'quiet verbose frozen locked no-sync no-project no-dev isolated offline active all-extras no-cache',
        longValued: 'python project directory with with-requirements with-editable env-file extra group package',
      },
    },
  },
  'with-contenv': {},
}
