/* Seeded errors. A model lists its own as ERRORS and asks SEEDED(X) where the error would be made.
 * Which one is made is read from the environment when the checker starts, not when it is built: one
 * build serves the clean run and all errors, and what catches an error is the very check that
 * passes without it. SEEDED_ERROR=? lists them. */
#define SEEDED(X) (c_expr { seeded == X })
#define ENUM_OF(X) X,
#define NAME_OF(X) #X,
c_decl {
\#include <stdio.h>
\#include <stdlib.h>
\#include <string.h>
enum { NO_ERROR, ERRORS(ENUM_OF) ALL_ERRORS };
static int seeded;
static __attribute__((constructor)) void choose_error(void) {
  static const char *names[] = { ERRORS(NAME_OF) };
  const char *wanted = getenv("SEEDED_ERROR");
  int i;
  if (wanted == 0 || *wanted == 0) return;
  for (i = 0; i < ALL_ERRORS - 1; i++) {
    if (strcmp(wanted, "?") == 0) puts(names[i]);
    if (strcmp(wanted, names[i]) == 0) seeded = i + 1;
  }
  if (seeded == 0) exit(strcmp(wanted, "?") == 0 ? 0 : 2);
}
}
