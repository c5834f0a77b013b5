/* What was probably meant by a word that is not known. */
#ifndef TOOL_NEAR_H
#define TOOL_NEAR_H

/* The nearest of words (NULL behind the last), if it is near: it begins with text, or one letter in
 * three, or one at least, is wrong, missing, too many or swapped with its neighbour; capitals do
 * not matter.  NULL if none is.  Of several as near: the first. */
const char *near_word(const char *text, const char *const *words);

#endif
