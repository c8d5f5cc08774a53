; Odd widths, wide integers, floating-point formats.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i7 @odd(i7 %a, i7 %b) {
  %s = add i7 %a, %b
  %d = sdiv i7 %s, %b
  %h = shl i7 %d, 3
  %r = ashr i7 %h, %b
  ret i7 %r
}

define i128 @wide(i128 %a, i64 %b) {
  %e = sext i64 %b to i128
  %m = mul i128 %a, %e
  %s = lshr i128 %m, 64
  ret i128 %s
}

define i32 @narrow(i128 %a) {
  %t = trunc i128 %a to i32
  ret i32 %t
}

define x86_fp80 @extended(x86_fp80 %a, double %b) {
  %e = fpext double %b to x86_fp80
  %s = fadd x86_fp80 %a, %e
  ret x86_fp80 %s
}

define i1 @ordered(double %a, float %b) {
  %e = fpext float %b to double
  %c = fcmp olt double %a, %e
  ret i1 %c
}

define i64 @repack(<2 x i32> %v, i32 %i) {
  %w = insertelement <2 x i32> %v, i32 9, i32 %i
  %b = bitcast <2 x i32> %w to i64
  ret i64 %b
}

define {i32, i1} @checked(i32 %a) {
  %r = call {i32, i1} @llvm.sadd.with.overflow.i32(i32 %a, i32 1)
  ret {i32, i1} %r
}

define i32 @shift_too_far(i32 %a) {
  %r = shl i32 %a, 32
  ret i32 %r
}

define void @assembly() {
  call void asm sideeffect "", "~{memory}"()
  call void asm sideeffect "cpuid", ""()
  ret void
}

declare {i32, i1} @llvm.sadd.with.overflow.i32(i32, i32)
