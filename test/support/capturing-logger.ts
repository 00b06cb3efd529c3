import type { LoggerService } from '@nestjs/common';

/** Keeps everything that is logged, as text. */
export class CapturingLogger implements LoggerService {
  readonly lines: string[] = [];
  readonly log = this.writer('log');
  readonly error = this.writer('error');
  readonly warn = this.writer('warn');
  readonly debug = this.writer('debug');
  readonly verbose = this.writer('verbose');

  get text(): string {
    return this.lines.join('\n');
  }

  private writer(level: string) {
    return (...parts: unknown[]): void => void this.lines.push(`${level}: ${parts.map(textOf).join(' ')}`);
  }
}

function textOf(part: unknown): string {
  if (part instanceof Error) return `${part.stack ?? part.message} ${textOf(part.cause)}`;
  return typeof part === 'object' ? JSON.stringify(part) : String(part);
}
