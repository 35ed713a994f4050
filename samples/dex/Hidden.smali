.class public Lfx/Hidden;
.super Ljava/lang/Object;
.field public static a:I
.field private whitelist b:I
.method public constructor greylist <init>()V
    .registers 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public blacklist secret(I)I
    .registers 3
    add-int/lit8 v0, p1, 1
    return v0
.end method
