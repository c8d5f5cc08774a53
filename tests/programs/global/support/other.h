extern int shared;
extern const char *const other_text;
extern int common_value;
int bump(int);
int other_hidden(void);
